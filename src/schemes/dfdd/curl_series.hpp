// The curl's system of DFDD-ELD in full-3 (schemes/dfdd/update.hpp), solved by a series (decision 122). With q of this
// field's material and p of the other one's, kappa = 4 a b/dt^2 and X = p C q C^T/kappa, whose eigenvalues are at most
// lambda, 6 K^-1 f is
//   h = (1 + X)^-1 g,   g = p f/kappa,     1/(1 + X) = (1 - r)/(1 + r) (1 + 2 sum_k (-r)^k T_k(t)),   t = 2 X/lambda -
//   1,
// T_k Chebyshev's polynomials, r = lambda/(1 + (1 + lambda)^(1/2))^2: from term to term the sum gains a factor r, .08
// where the step is that of a regular mesh. A polynomial of X keeps what is symmetric, and fields without curl. Vectors
// have components along t_1 - t_2, (t_1 + t_2 - t_3)/2 and t_3, in orthonormal polynomials in which the derivatives
// along these have the fewest terms (tools/tables/curl_series.cpp).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/products.hpp"
#include "kernels/reciprocal.hpp"
#include "series_terms.hpp"

namespace tetrawave::kernels {

/// v <- g v for a symmetric g (00 01 02 11 12 22).
template <class R>
TW_FN void multiply_symmetric(const R* g, R* v) {
  const R v0 = v[0];
  const R v1 = v[1];
  v[0] = g[0] * v0 + g[1] * v1 + g[2] * v[2];
  const R last = g[2] * v0 + g[4] * v1 + g[5] * v[2];
  v[1] = g[1] * v0 + g[3] * v1 + g[4] * v[2];
  v[2] = last;
}

/// f <- g f for vectors whose components a are f[a modes + m].
template <int modes, class R>
TW_FN void multiply_vectors(const R* g, R* f) {
  TW_UNROLL
  for (int m = 0; m < modes; ++m) {
    R v[3] = {f[m], f[modes + m], f[2 * modes + m]};
    multiply_symmetric(g, v);
    f[m] = v[0];
    f[modes + m] = v[1];
    f[2 * modes + m] = v[2];
  }
}

// From components along t_1, t_2, t_3 to those along t_1 - t_2, (t_1 + t_2 - t_3)/2, t_3, and back.

template <class S, class R>
TW_FN void turn_metric(R* q) {
  const R along_1 = q[0] - q[1];
  const R along_2 = q[3] - q[1];
  const R along_3 = q[2] - q[4];
  const R rest_1 = q[0] + q[1] - q[2];  // twice t_1, t_2, t_3 times the second edge
  const R rest_2 = q[3] + q[1] - q[4];
  const R rest_3 = q[2] + q[4] - q[5];
  q[0] = along_1 + along_2;
  q[1] = S(.5) * (rest_1 - rest_2);
  q[2] = along_3;
  q[3] = S(.25) * (rest_1 + rest_2 - rest_3);
  q[4] = S(.5) * rest_3;
}
/// A vector, contravariant.
template <class S, int modes, class R>
TW_FN void turn_vector(R* f) {
  TW_UNROLL
  for (int m = 0; m < modes; ++m) {
    const R first = f[m];
    const R second = f[modes + m];
    f[m] = S(.5) * (first - second);
    f[modes + m] = first + second;
    f[2 * modes + m] += S(.5) * (first + second);
  }
}
/// A covector, back.
template <class S, int modes, class R>
TW_FN void turn_back(R* h) {
  TW_UNROLL
  for (int m = 0; m < modes; ++m) {
    const R half = S(.5) * h[m];
    const R mean = h[modes + m] + S(.5) * h[2 * modes + m];
    h[m] = mean + half;
    h[modes + m] = mean - half;
  }
}

/// Numbers for CurlSeries::solve where the lane keeps none.
template <int count, class R>
struct LocalNumbers {
  R numbers[count];
  TW_FN void put(int i, const R& x) { numbers[i] = x; }
  TW_FN R get(int i) const { return numbers[i]; }
};

template <class Lane, bool is_single>
struct BriefOf {
  using type = typename Lane::Number;
};
template <class Lane>
struct BriefOf<Lane, true> {
  using type = float;
};

/// On GPUs the series is in single precision: numbers of double precision take two of them, the second one for what the
/// first one leaves.
template <class Basis, class S, class Lane>
struct CurlSeries {
  using R = typename Lane::Number;
  static constexpr bool twice = !Lane::holds_jumps && sizeof(R) == 8;
  using Brief = typename BriefOf<Lane, twice>::type;  ///< numbers of the series
  using T = std::conditional_t<twice, float, S>;
  static constexpr int modes = Basis::curl_modes;
  static constexpr int size = 3 * modes;
  /// The last term relative to the first.
  static constexpr T tolerance = sizeof(T) == 4 ? T(2e-7) : T(4e-16);

  R q[6];  ///< along the edges of the series
  R p[6];  ///< over kappa
  R rate;  ///< r

  /// `metric`, `curl_metric`: q and p along t_1, t_2, t_3; `ratio`: r.
  TW_FN CurlSeries(const R* metric, const R* curl_metric, const R& stiffness, const R& ratio) : rate(ratio) {
    const R share = reciprocal(stiffness);
    TW_UNROLL
    for (int a = 0; a < 6; ++a) {
      q[a] = metric[a];
      p[a] = share * curl_metric[a];
    }
    turn_metric<S>(q);
    turn_metric<S>(p);
  }

  /// h <- (1 + X)^-1 g; `given` keeps g, at places `first`, first + 1, .., and is overwritten.
  template <class Kept>
  TW_FN void solve(const Lane& lane, Kept& given, int first, R* h) const {
    if constexpr (twice) {
      const Scales scale = scales(lane, given, first);
      TW_UNROLL
      for (int i = 0; i < size; ++i) given.put(first + i, scale.to * given.get(first + i));
      Brief y[size];
      Brief x[size];
      TW_UNROLL
      for (int i = 0; i < size; ++i) y[i] = Brief(given.get(first + i));
      TW_UNROLL_BY(1)
      for (int round = 0; round < 2; ++round) {
        if (round > 0) leave(given, first, x, y);
        sum(lane, y, x);
      }
      TW_UNROLL
      for (int i = 0; i < size; ++i) h[i] = scale.back * (given.get(first + i) + R(x[i]));
    } else {
      R y[size];
      TW_UNROLL
      for (int i = 0; i < size; ++i) y[i] = given.get(first + i);
      sum(lane, y, h);
    }
  }

  struct Scales {
    R to;
    R back;
  };
  /// A power of two that brings the largest number of g near 1, and its inverse.
  template <class Kept>
  TW_FN static Scales scales(const Lane& lane, const Kept& given, int first) {
    constexpr std::uint32_t exponents = 0x7ff00000;  // in the upper half of a number
    constexpr std::uint32_t largest = 0x7fd00000;
    std::uint32_t most = 0;
    TW_UNROLL
    for (int i = 0; i < size; ++i) {
      const auto own = static_cast<std::uint32_t>(lane.bits(given.get(first + i)) >> 32) & exponents;
      most = own > most ? own : most;
    }
    most = most > largest ? largest : most;
    constexpr std::uint32_t of_product = 0x7fe00000;  // of 1, twice
    return {lane.from_bits(std::uint64_t{of_product - most} << 32), lane.from_bits(std::uint64_t{most} << 32)};
  }

  /// y <- g - (1 + X) x; `given` keeps x then.
  template <class Kept>
  TW_FN void leave(Kept& given, int first, const Brief* x, Brief* y) const {
    R h[size];
    R f[size] = {};
    TW_UNROLL
    for (int i = 0; i < size; ++i) h[i] = R(x[i]);
    Basis::template add_curls<S>(q, h, f);
    multiply_vectors<modes>(p, f);
    TW_UNROLL
    for (int i = 0; i < size; ++i) {
      y[i] = Brief(given.get(first + i) - h[i] - f[i]);
      given.put(first + i, h[i]);
    }
  }

  /// x <- (1 + X)^-1 y. With y_k = (-1)^k U_k(t) y_0, U_k = 2 t U_k-1 - U_k-2, and 2 T_k = U_k - U_k-2 a partial sum is
  /// (1 - r)^2 ( y_0 + r y_1 + .. ), where the last two terms are divided by 1 - r^2: but for y_0, where that makes no
  /// difference.
  TW_FN void sum(const Lane& lane, Brief* y, Brief* x) const {
    const Brief r = Brief(rate);
    const Brief rest = (T(1) - r) * (T(1) - r);
    Brief metric[6];
    Brief by[6];
    const Brief share = -rest * reciprocal(r);
    TW_UNROLL
    for (int a = 0; a < 6; ++a) {
      metric[a] = Brief(q[a]);
      by[a] = share * Brief(p[a]);
    }
    Brief before[size];
    TW_UNROLL
    for (int i = 0; i < size; ++i) {
      y[i] *= rest;
      x[i] = y[i];
      before[i] = Brief{};
    }
    const Brief square = r * r;
    const Brief more = square * reciprocal(T(1) - square);
    // whether there is a term whose weight is at least this
    const auto is_there = [&](const Brief& weight) { return lane.positive(T(2) * weight - tolerance); };
    Brief power = r;
    Brief first = is_there(power);
    while (lane.some(first)) {
      const Brief third = is_there(square * power);
      step(metric, by, first * power * (T(1) + (T(1) - third) * more), y, before, x);
      power *= r;
      const Brief second = is_there(power);
      if (!lane.some(second)) break;
      step(metric, by, second * power * (T(1) + (T(1) - is_there(square * power)) * more), before, y, x);
      power *= r;
      first = third;
    }
  }

  /// r of an element: lambda is estimated from below by powers of X and taken a twentieth larger.
  TW_FN static R ratio_of(const Lane& lane, const R* metric, const R* curl_metric, const R& stiffness) {
    const CurlSeries series(metric, curl_metric, stiffness, R{});
    constexpr int steps = 40;
    R v[size];
    for (int i = 0; i < size; ++i) v[i] = R{} + S(1) / S(1 + (7 * i) % size);
    R lambda{};
    TW_UNROLL_BY(1)
    for (int step = 0; step < steps; ++step) {
      R f[size] = {};
      Basis::template add_curls<S>(series.q, v, f);
      R own{};
      for (int i = 0; i < size; ++i) own += v[i] * f[i];
      R w[size];
      for (int i = 0; i < size; ++i) w[i] = f[i];
      multiply_vectors<modes>(series.p, w);
      R next{};
      for (int i = 0; i < size; ++i) next += w[i] * f[i];
      lambda = lane.larger(next, R{}) * reciprocal(lane.larger(own, R{} + least));
      const R scale = reciprocal(lane.larger(lambda, R{} + least));
      for (int i = 0; i < size; ++i) v[i] = scale * w[i];
    }
    lambda *= S(1.05);
    const R more = S(1) + lambda;
    const R root = S(1) + more * lane.inverse_root(more);
    return lane.larger(lambda * reciprocal(root * root), R{} + least_ratio);
  }

 private:
  static constexpr S least = S(1e-30);
  static constexpr S least_ratio = S(1e-6);  ///< by which X may be divided
  /// before <- 2 y - before + p q-weighted curls of y, and `weight` times that goes to x; `by`: p.
  TW_FN static void step(const Brief* metric, const Brief* by, const Brief& weight, const Brief* y, Brief* before,
                         Brief* x) {
    Brief f[size] = {};
    Basis::template add_curls<T>(metric, y, f);
    TW_UNROLL
    for (int m = 0; m < modes; ++m) {
      constexpr int row[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
      TW_UNROLL
      for (int a = 0; a < 3; ++a) {
        const int i = a * modes + m;
        before[i] = T(2) * y[i] - before[i];
        TW_UNROLL
        for (int b = 0; b < 3; ++b) before[i] += by[row[a][b]] * f[b * modes + m];
        x[i] += weight * before[i];
      }
    }
  }
};

}  // namespace tetrawave::kernels
