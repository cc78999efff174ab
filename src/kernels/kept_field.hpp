// Walls of dispersive media in the stored layout: the terms of dispersion change u before the update, but the losses of
// a wall are averaged between u+ and the u before that change (THEORY.md 14).
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Keeps the field of listed elements, then the change since. The list stands in blocks of lanes.
template <class S>
struct KeepField {
  using Scalar = S;
  const S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< 1 row
  S* kept = nullptr;                      ///< n rows: u, then u - kept
  bool first = true;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto own = lane.load_integer(element, 1, 0);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      const auto u = lane.gather(field, Basis::dofs, own, lane.all(i));
      lane.store(kept, Basis::dofs, i, first ? u : u - lane.load(kept, Basis::dofs, i));
    }
  }
};

/// u += matrix kept.
template <class S>
struct AddKept {
  using Scalar = S;
  S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< 1 row
  const S* kept = nullptr;                ///< n rows
  const S* matrix = nullptr;              ///< n^2 rows, entry `column * n + row`

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    constexpr int n = Basis::dofs;
    const auto own = lane.load_integer(element, 1, 0);
    typename Lane::Number u[n];
    TW_UNROLL
    for (int i = 0; i < n; ++i) u[i] = lane.gather(field, n, own, lane.all(i));
    for (int j = 0; j < n; ++j) {
      const auto v = lane.load(kept, n, j);
      TW_UNROLL
      for (int i = 0; i < n; ++i) u[i] += lane.load(matrix, n * n, j * n + i) * v;
    }
    TW_UNROLL
    for (int i = 0; i < n; ++i) lane.scatter(field, n, own, i, u[i]);
  }
};

}  // namespace tetrawave::kernels
