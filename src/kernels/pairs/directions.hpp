// What currents at points radiate to directions (theory/far-fields).
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "kernels/half_turns.hpp"

namespace tetrawave::kernels {

/// sum (Z J . theta + M . phi) exp(jk u . r') and sum (Z J . phi - M . theta) exp(jk u . r'), each kept in two doubles
/// (TwoSum). Lanes are directions.
struct DirectionSums {
  using Scalar = double;
  static constexpr int point_rows = 9;    ///< k u/pi, theta, phi
  static constexpr int source_size = 15;  ///< r', then re, im of x, of y, of z of Z J and of M
  static constexpr int sum_rows = 8;      ///< high, low of re and im of either sum

  const double* points = nullptr;
  const double* sources = nullptr;
  std::int64_t source_count = 0;
  double* sums = nullptr;  ///< these are added to

  template <class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    R way[3], theta[3], phi[3], high[4], low[4];
    TW_UNROLL
    for (int x = 0; x < 3; ++x) {
      way[x] = lane.load(points, point_rows, x);
      theta[x] = lane.load(points, point_rows, 3 + x);
      phi[x] = lane.load(points, point_rows, 6 + x);
    }
    TW_UNROLL
    for (int i = 0; i < 4; ++i) {
      high[i] = lane.load(sums, sum_rows, 2 * i);
      low[i] = lane.load(sums, sum_rows, 2 * i + 1);
    }
    for (std::int64_t s = 0; s < source_count; ++s) {
      const double* place = sources + s * source_size;
      const double *j = place + 3, *m = place + 9;
      const R half_turns = way[0] * place[0] + way[1] * place[1] + way[2] * place[2];
      const WholeTurns<Lane> turns = whole_turns<Lane>(half_turns);
      const Phase<Lane> phase = phase_of_rest<Lane>(half_turns - turns.whole);
      const R cosine = turned(lane, phase.cosine, turns), sine = turned(lane, phase.sine, turns);
      R along[4] = {R{}, R{}, R{}, R{}};  // re and im of either sum's term but for the exponential
      TW_UNROLL
      for (int k = 0; k < 6; ++k) {
        const int x = k / 2, part = k % 2;
        along[part] += theta[x] * j[k];
        along[part] += phi[x] * m[k];
        along[2 + part] += phi[x] * j[k];
        along[2 + part] -= theta[x] * m[k];
      }
      TW_UNROLL
      for (int i = 0; i < 4; i += 2) {
        add(along[i] * cosine - along[i + 1] * sine, high[i], low[i]);
        add(along[i] * sine + along[i + 1] * cosine, high[i + 1], low[i + 1]);
      }
    }
    TW_UNROLL
    for (int i = 0; i < 4; ++i) {
      lane.store(sums, sum_rows, 2 * i, high[i]);
      lane.store(sums, sum_rows, 2 * i + 1, low[i]);
    }
  }

 private:
  /// As TwoSum does.
  template <class R>
  TW_FN static void add(const R& x, R& high, R& low) {
    const R sum = high + x;
    const R part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
};

}  // namespace tetrawave::kernels
