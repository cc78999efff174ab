// Sources inside the domain: u += sum over terms of A0^-1 g w(t - delay), computed by teams (see kernels/sample.hpp).
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "kernels/sample.hpp"

namespace tetrawave::kernels {

/// Samples of a source's wave in a time step: between them it is interpolated by cubics.
inline constexpr int wave_samples = 4;
/// A table of waves starts a step and a sample before t = 0.
inline constexpr int wave_origin = wave_samples + 1;

/// Adds the terms of a list of elements, with each element at most once in a list.
template <class S>
struct AddSources {
  int dofs = 0;
  std::int64_t elements = 0;
  std::int64_t chunk = 0;               ///< elements per team
  const std::int32_t* slot = nullptr;   ///< per element
  const std::int64_t* first = nullptr;  ///< per element: its first term, and one past the last
  const std::int32_t* wave = nullptr;   ///< per term: row of the table
  const std::int32_t* place = nullptr;  ///< per term: -delay in samples, rounded down
  const double* part = nullptr;         ///< per term: the fraction, 0..1
  const S* moment = nullptr;            ///< per term, dofs
  const double* table = nullptr;        ///< [wave][length]
  std::int64_t length = 0;
  const std::int64_t* step = nullptr;
  std::int64_t substeps = 1;  ///< substeps of these elements in a step of the time loop, and the index of this one
  std::int64_t substep = 0;
  std::int64_t shift = 0;  ///< of the time relative to the step, in samples: rounded down, and the fraction
  double shift_part = 0;
  S* field = nullptr;
  S factor = 1;
  S* second = nullptr;  ///< gets `second_factor` times the sum, or null
  S second_factor = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    for_listed_rows<S>(team, elements, chunk, dofs, slot, [this](std::int64_t item, std::int64_t row, std::int64_t at) {
      double sum = 0;
      for (std::int64_t term = first[item]; term < first[item + 1]; ++term)
        sum += static_cast<double>(moment[term * dofs + row]) * wave_of(term);
      field[at] += factor * static_cast<S>(sum);
      if (second != nullptr) second[at] += second_factor * static_cast<S>(sum);
    });
  }

 private:
  /// Lagrange's cubic through the samples at -1, 0, 1, 2 around the time; zero outside the table.
  TW_FN double wave_of(std::int64_t term) const {
    std::int64_t at = (*step * substeps + substep) * wave_samples + shift + place[term];
    double x = part[term] + shift_part;
    if (x >= 1) {
      x -= 1;
      ++at;
    }
    at += wave_origin - 1;
    if (at < 0 || at + 3 >= length) return 0;
    const double* w = table + wave[term] * length + at;
    const double a = x + 1;
    const double b = x - 1;
    const double c = x - 2;
    return (a * x * b * w[3] - x * b * c * w[0]) / 6 + a * c * (b * w[1] - x * w[2]) / 2;
  }
};

}  // namespace tetrawave::kernels
