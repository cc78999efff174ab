// What currents at points radiate to points in space (theory/fe-iiee#sums-by-clusters).
#pragma once

#include <cstdint>

#include "kernels/pairs/green.hpp"

namespace tetrawave::kernels {

/// F+ = (A + B) W+ and F- = (A - B) W- in full, where BoundaryRadiation has e1 +- j e2 times these. The same sources.
template <class S, int count>
struct FieldRadiation {
  using Scalar = S;
  using Boundary = BoundaryRadiation<S, 1>;
  static constexpr int sets = count;
  static constexpr int point_rows = 3;         ///< k r
  static constexpr int sum_rows = 12 * count;  ///< per set F+ and F-: re, im of x, of y, of z

  const S* points = nullptr;
  const S* sources = nullptr;
  std::int64_t source_count = 0;
  std::int64_t source_stride = Boundary::source_size(count);
  int first_set = 0;  ///< of a source
  S* sums = nullptr;  ///< these are added to

  template <class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int together = Lane::pairs_in_flight;
    typename Boundary::template Frame<Lane> frame;
    TW_UNROLL
    for (int x = 0; x < 3; ++x) frame.place[x] = lane.load(points, point_rows, x);
    R sum[sum_rows];
    TW_UNROLL
    for (int i = 0; i < sum_rows; ++i) sum[i] = R{};
    typename Boundary::template Pair<Lane> pairs[together];
    for (std::int64_t s = 0; s < source_count; s += together) {
      const int length = source_count - s < together ? static_cast<int>(source_count - s) : together;
      const S* source = sources + s * source_stride;
      for (int i = 0; i < length; ++i) pairs[i] = Boundary::pair(lane, frame, source + i * source_stride);
      for (int i = 0; i < length; ++i) {
        const S* place = source + i * source_stride;
        R away[3];
        TW_UNROLL
        for (int x = 0; x < 3; ++x) away[x] = frame.place[x] - place[x];
        TW_UNROLL
        for (int set = 0; set < sets; ++set) {
          const S* currents = place + 3 + 12 * (first_set + set);
          add<Lane, 1>(pairs[i], away, currents, sum + 12 * set);
          add<Lane, -1>(pairs[i], away, currents + 6, sum + 12 * set + 6);
        }
      }
    }
    TW_UNROLL
    for (int i = 0; i < sum_rows; ++i) lane.store(sums, sum_rows, i, lane.load(sums, sum_rows, i) + sum[i]);
  }

  /// Adds (A + sign B) W.
  template <class Lane, int sign, class Pair, class R>
  TW_FN static void add(const Pair& pair, const R (&away)[3], const S* w, R* sum) {
    const R along_re = away[0] * w[0] + away[1] * w[2] + away[2] * w[4];
    const R along_im = away[0] * w[1] + away[1] * w[3] + away[2] * w[5];
    const R stretch_re = pair.t_re * along_re - pair.t_im * along_im;
    const R stretch_im = pair.t_re * along_im + pair.t_im * along_re;
    TW_UNROLL
    for (int x = 0; x < 3; ++x) {
      const int y = (x + 1) % 3, z = (x + 2) % 3;
      const R turned_re = S(sign) * (away[y] * w[2 * z] - away[z] * w[2 * y]);
      const R turned_im = S(sign) * (away[y] * w[2 * z + 1] - away[z] * w[2 * y + 1]);
      sum[2 * x] += pair.a_re * w[2 * x] - pair.a_im * w[2 * x + 1];
      sum[2 * x] += stretch_re * away[x];
      sum[2 * x] += pair.b_re * turned_re - pair.b_im * turned_im;
      sum[2 * x + 1] += pair.a_re * w[2 * x + 1] + pair.a_im * w[2 * x];
      sum[2 * x + 1] += stretch_im * away[x];
      sum[2 * x + 1] += pair.b_re * turned_im + pair.b_im * turned_re;
    }
  }
};

}  // namespace tetrawave::kernels
