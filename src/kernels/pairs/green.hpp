// What currents at points radiate to points of a boundary (theory/fe-iiee; J. M. Badia, A. Amor-Martin, J. A. Belloch,
// L. E. Garcia-Castillo, IEEE Access 8 (2020), doi 10.1109/ACCESS.2020.2993103, eqs. 10, 11).
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "kernels/half_turns.hpp"

namespace tetrawave::kernels {

/// With lengths times k, d = k (r - r'), rho = |d|, G = exp(-j rho)/rho, b = (j/rho + 1/rho^2) G, a = G - b,
/// t = (2 b - a)/rho^2, a vector V at r' gives A V = a V + t (d . V) d and B V = b d x V at r. Currents
/// Q = -j k0 mu_r/k J and M have, but for k/(4 pi), E/k = A Q + B M, - curl E/k^2 = A M + B Q: W+- = Q +- M give
/// (A +- B) W+-, of which Psi needs S+- = (e1 +- j e2) . (A +- B) W+- alone (e1, e2, n: right-handed). As rows,
///   (e1 +- j e2) . (A +- B) = q1 +- j q2,   qi = (a + j b d.n) ei + (d.ei) u,   u = t d - j b n.
/// Lanes are points of S. `count`: of sets of currents that share a pair's distance and rows. S: double or float.
template <class S, int count>
struct BoundaryRadiation {
  using Scalar = S;
  static constexpr int sets = count;
  static constexpr int point_rows = 9;        ///< k r, e1, e2
  static constexpr int sum_rows = 4 * count;  ///< re, im of S+, of S-

  /// Numbers of a source with so many sets of currents: k r', then per set W+ and W-: re, im of x, of y, of z.
  static constexpr int source_size(int all_sets) { return 3 + 12 * all_sets; }

  const S* points = nullptr;
  const S* sources = nullptr;
  std::int64_t source_count = 0;
  std::int64_t source_stride = source_size(count);
  int first_set = 0;  ///< of a source
  S* sums = nullptr;  ///< these are added to

  /// A point of S.
  template <class Lane>
  struct Frame {
    using R = typename Lane::Number;
    R place[3], first[3], second[3], normal[3];

    Frame() = default;
    TW_FN Frame(const Lane& lane, const S* points) {
      TW_UNROLL
      for (int x = 0; x < 3; ++x) {
        place[x] = lane.load(points, point_rows, x);
        first[x] = lane.load(points, point_rows, 3 + x);
        second[x] = lane.load(points, point_rows, 6 + x);
      }
      TW_UNROLL
      for (int x = 0; x < 3; ++x) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        normal[x] = first[y] * second[z] - first[z] * second[y];
      }
    }
  };

  template <class Lane>
  struct Pair {
    using R = typename Lane::Number;
    R a_re, a_im, b_re, b_im, t_re, t_im;
  };

  template <class Lane>
  TW_FN void run(const Lane& lane) const {
    constexpr int together = Lane::pairs_in_flight;
    const Frame<Lane> frame(lane, points);
    typename Lane::Number sum[sum_rows];
    TW_UNROLL
    for (int i = 0; i < sum_rows; ++i) sum[i] = typename Lane::Number{};
    Pair<Lane> pairs[together];
    for (std::int64_t s = 0; s < source_count; s += together) {
      const int length = source_count - s < together ? static_cast<int>(source_count - s) : together;
      const S* source = sources + s * source_stride;
      for (int i = 0; i < length; ++i) pairs[i] = pair(lane, frame, source + i * source_stride);
      for (int i = 0; i < length; ++i) {
        const S* place = source + i * source_stride;
        add_all<Lane>(rows(frame, pairs[i], place), place + 3 + 12 * first_set, sum);
      }
    }
    TW_UNROLL
    for (int i = 0; i < sum_rows; ++i) lane.store(sums, sum_rows, i, lane.load(sums, sum_rows, i) + sum[i]);
  }

  /// 55 operations, one after the other: a loop of its own lets those of several pairs overlap.
  template <class Lane>
  TW_FN static Pair<Lane> pair(const Lane& lane, const Frame<Lane>& frame, const S* source) {
    using R = typename Lane::Number;
    R away[3];
    TW_UNROLL
    for (int x = 0; x < 3; ++x) away[x] = frame.place[x] - source[x];
    const R square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    const R inverse = lane.inverse_root(square);
    const R distance = square * inverse;
    const R half_turns = distance * inverse_pi<S>;
    const WholeTurns<Lane> turns = whole_turns<Lane>(half_turns);
    const Phase<Lane> phase = lane.phase((half_turns - turns.whole) + distance * inverse_pi_rest<S>);
    const R scale = turned(lane, inverse, turns);
    const R g_re = scale * phase.cosine, g_im = -(scale * phase.sine);
    const R over_re = inverse * g_re, over_im = inverse * g_im;
    Pair<Lane> to;
    to.b_re = inverse * over_re - over_im;
    to.b_im = inverse * over_im + over_re;
    to.a_re = g_re - to.b_re;
    to.a_im = g_im - to.b_im;
    const R inverse_square = inverse * inverse;
    to.t_re = (S(2) * to.b_re - to.a_re) * inverse_square;
    to.t_im = (S(2) * to.b_im - to.a_im) * inverse_square;
    return to;
  }

  /// What S+ and S- are of W+ and W-: re, im of x, y, z.
  template <class Lane>
  struct Rows {
    using R = typename Lane::Number;
    R plus_re[3], plus_im[3], minus_re[3], minus_im[3];
  };

  template <class Lane>
  TW_FN static Rows<Lane> rows(const Frame<Lane>& frame, const Pair<Lane>& pair, const S* source) {
    using R = typename Lane::Number;
    const auto& [place, first, second, normal] = frame;
    R away[3];
    TW_UNROLL
    for (int x = 0; x < 3; ++x) away[x] = place[x] - source[x];
    const R along_1 = away[0] * first[0] + away[1] * first[1] + away[2] * first[2];
    const R along_2 = away[0] * second[0] + away[1] * second[1] + away[2] * second[2];
    const R height = away[0] * normal[0] + away[1] * normal[1] + away[2] * normal[2];
    const R of_re = pair.a_re - pair.b_im * height, of_im = pair.a_im + pair.b_re * height;
    Rows<Lane> to;
    TW_UNROLL
    for (int x = 0; x < 3; ++x) {
      const R u_re = pair.t_re * away[x] + pair.b_im * normal[x];
      const R u_im = pair.t_im * away[x] - pair.b_re * normal[x];
      const R q1_re = of_re * first[x] + along_1 * u_re, q1_im = of_im * first[x] + along_1 * u_im;
      const R q2_re = of_re * second[x] + along_2 * u_re, q2_im = of_im * second[x] + along_2 * u_im;
      to.plus_re[x] = q1_re - q2_im;
      to.plus_im[x] = q1_im + q2_re;
      to.minus_re[x] = q1_re + q2_im;
      to.minus_im[x] = q1_im - q2_re;
    }
    return to;
  }

  /// To the sums of one set.
  template <class Lane>
  TW_FN static void add(const Rows<Lane>& rows, const S* currents, typename Lane::Number* sum) {
    add_product(rows.plus_re, rows.plus_im, currents, sum[0], sum[1]);
    add_product(rows.minus_re, rows.minus_im, currents + 6, sum[2], sum[3]);
  }

  template <class Lane>
  TW_FN static void add_all(const Rows<Lane>& rows, const S* currents, typename Lane::Number* sum) {
    TW_UNROLL
    for (int set = 0; set < sets; ++set) add<Lane>(rows, currents + 12 * set, sum + 4 * set);
  }

 private:
  /// Row times column.
  template <class R>
  TW_FN static void add_product(const R (&row_re)[3], const R (&row_im)[3], const S* column, R& re, R& im) {
    TW_UNROLL
    for (int x = 0; x < 3; ++x) {
      re += row_re[x] * column[2 * x];
      re -= row_im[x] * column[2 * x + 1];
      im += row_re[x] * column[2 * x + 1];
      im += row_im[x] * column[2 * x];
    }
  }
};

}  // namespace tetrawave::kernels
