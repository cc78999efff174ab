// Terms of the stored layout that are not in the matrices: incident waves of driven faces, and the losses of walls of
// dispersive media (theory/walls, theory/stored-layout). Lists of elements are in blocks of lanes too.
#pragma once

#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// What changes of a list's elements are added to.
template <class S>
struct ListTarget {
  S* field = nullptr;
  S* advanced = nullptr;                  ///< the field whose rate `field` is in DFDD-ELD, or null
  S advance = 0;                          ///< dt of that field
  const std::int32_t* element = nullptr;  ///< 1 row

  /// u += change, and if u is a rate, its field += dt change.
  template <class Basis, class Lane, class R>
  TW_FN void add(const Lane& lane, const R* change) const {
    constexpr int n = Basis::dofs;
    const auto own = lane.load_integer(element, 1, 0);
    TW_UNROLL
    for (int i = 0; i < n; ++i) {
      const R u = lane.gather(field, n, own, lane.all(i)) + change[i];
      lane.scatter(field, n, own, i, u);
      if (advanced != nullptr) {
        const R value = lane.gather(advanced, n, own, lane.all(i)) + advance * change[i];
        lane.scatter(advanced, n, own, i, value);
      }
    }
  }
};

/// u += sum_f A0^-1 g_f w_f(t) on the elements of a list that have `faces` driven faces each.
template <class S>
struct AddWaves {
  using Scalar = S;
  ListTarget<S> target;
  int faces = 0;                       ///< driven faces of every element of this list, 1..4
  const std::int32_t* wave = nullptr;  ///< `faces` rows: row of `waves`
  const S* moment = nullptr;           ///< faces * dofs rows: A0^-1 g_f
  const S* waves = nullptr;            ///< [wave][step]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    R change[n] = {};
    for (int j = 0; j < faces; ++j) {
      const R w = lane.lookup_wave(waves, wave_length, lane.load_integer(wave, faces, j), *step);
      TW_UNROLL
      for (int i = 0; i < n; ++i) change[i] += lane.load(moment, faces * n, j * n + i) * w;
    }
    target.template add<Basis>(lane, change);
  }
};

/// Dispersion changes u before the update, but the losses of a wall are averaged between u+ and the u before that
/// change. Stores the field of listed elements, then the change since.
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

/// u += matrix vector.
template <class S>
struct AddProduct {
  using Scalar = S;
  ListTarget<S> target;
  const S* vector = nullptr;  ///< as many rows as the matrix has columns
  const S* matrix = nullptr;  ///< n rows by n or 2 n columns, entry `column * n + row`
  int columns_in_dofs = 1;    ///< 1 or 2

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    R change[n] = {};
    const int columns = columns_in_dofs * n;
    for (int j = 0; j < columns; ++j) {
      const R v = lane.load(vector, columns, j);
      TW_UNROLL
      for (int i = 0; i < n; ++i) change[i] += lane.load(matrix, columns * n, j * n + i) * v;
    }
    target.template add<Basis>(lane, change);
  }
};

}  // namespace tetrawave::kernels
