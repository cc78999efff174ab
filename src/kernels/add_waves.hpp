// Incident waves of driven faces in the stored layout, whose matrices hold all else of open walls (THEORY.md 7).
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// u += sum_f A0^-1 g_f w_f(t) on the elements of a list that have `faces` driven faces each. The list stands in blocks
/// of lanes too.
template <class S>
struct AddWaves {
  using Scalar = S;
  int faces = 0;  ///< driven faces of every element of this list, 1..4
  S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* wave = nullptr;     ///< `faces` rows: row of `waves`
  const S* moment = nullptr;              ///< faces * dofs rows: A0^-1 g_f
  const S* waves = nullptr;               ///< [wave][step]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    const auto own = lane.load_integer(element, 1, 0);
    R u[n];
    TW_UNROLL
    for (int i = 0; i < n; ++i) u[i] = lane.gather(field, n, own, lane.all(i));
    for (int j = 0; j < faces; ++j) {
      const R w = lane.lookup_wave(waves, wave_length, lane.load_integer(wave, faces, j), *step);
      TW_UNROLL
      for (int i = 0; i < n; ++i) u[i] += lane.load(moment, faces * n, j * n + i) * w;
    }
    TW_UNROLL
    for (int i = 0; i < n; ++i) lane.scatter(field, n, own, i, u[i]);
  }
};

}  // namespace tetrawave::kernels
