// BiCGStab (fem/solvers/bicgstab.hpp) of R right-hand sides at once on a device, vectors [row][R]. The scalars of the
// iteration are on the device, too, and a right-hand side that has ended, or waits for the host, is passed over.
//
// Kernels: kernel(group, i, sums) for every i, in groups of `width` threads (fem/device/rows.hpp), adds to `sums`
// sums of the kernel; after all, finish(totals) is called once.
#pragma once

#include <cstdint>

#include "fem/device/rows.hpp"

namespace tetrawave::fem::device {

/// What a right-hand side does. starting: its residual is found from x; small, broken: it waits for that, with a norm
/// below its target, or after a breakdown; stopped: at its limit or lost.
enum Phase : std::int32_t { resting, starting, going, small, broken, stopped };

inline constexpr int most_at_once = 8;  ///< iterations between two looks of the host

template <class N>
struct IterationState {
  N rho{};  ///< (shadow, r)
  N alpha{}, omega{}, beta{};
  double norm = 0;           ///< of r, weighted
  double plain_square = 0;   ///< of r, not weighted
  double shadow_square = 0;  ///< not weighted
  double target = 0;         ///< of `norm`
  double too_large = 0;
  std::int64_t iterations = 0;
  std::int64_t most = 0;
  std::int32_t phase = resting;
  std::int32_t ends_as = 0;          ///< small or broken: only the first half of this step counts
  double recent[most_at_once] = {};  ///< norms after the last iterations, iteration n at (n - 1) % most_at_once
};

template <class N>
struct IterationVectors {
  N *x = nullptr, *b = nullptr, *r = nullptr, *shadow = nullptr, *p = nullptr, *v = nullptr, *t = nullptr,
    *p_hat = nullptr, *r_hat = nullptr;
  const double* weights = nullptr;  ///< of squares in norms, or null: 1
  IterationState<N>* state = nullptr;

  [[nodiscard]] TW_FN double weight(std::int32_t i) const { return weights == nullptr ? 1.0 : weights[i]; }
  /// Stores a residual of row i; adds its square, weighted and plain, to two partial sums.
  TW_FN void keep_residual(std::int32_t i, std::int64_t at, N residual, double* partial) const {
    r[at] = residual;
    const double plain = square(residual);
    partial[0] += weight(i) * plain;
    partial[1] += plain;
  }
};

/// Without a state everything is in every phase.
template <int R, class N>
TW_FN bool any_in(const IterationState<N>* state, std::int32_t phase) {
  if (state == nullptr) return true;
  for (int r = 0; r < R; ++r)
    if (state[r].phase == phase) return true;
  return false;
}

/// As in fem/solvers/bicgstab.cpp.
template <class N>
TW_FN bool is_negligible(N product, double square_a, double square_b) {
  constexpr double orthogonal = 1e-14;
  return !(magnitude(product) > orthogonal * sqrt(square_a) * sqrt(square_b));
}

/// r = b - A x, the shadow and the first direction, where a right-hand side is starting.
template <class N, int R, class Matrix>
struct StartResidual {
  static constexpr int width = Matrix::width, sums = 2 * R;
  Matrix matrix;
  IterationVectors<N> v;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double* partial) const {
    if (!any_in<R>(v.state, starting)) return;
    N product[R];
    matrix.template sum<R>(group, i, v.x, product);
    if (group.lane() != 0) return;
    const std::int32_t row = matrix.row(i);
    for (int r = 0; r < R; ++r) {
      if (v.state[r].phase != starting) continue;
      const std::int64_t at = static_cast<std::int64_t>(row) * R + r;
      const N residual = minus(v.b[at], product[r]);
      v.shadow[at] = v.p[at] = residual;
      v.keep_residual(row, at, residual, partial + 2 * r);
    }
  }
  TW_FN void finish(const double* totals) const {
    for (int r = 0; r < R; ++r) {
      IterationState<N>& state = v.state[r];
      if (state.phase != starting) continue;
      state.norm = sqrt(totals[2 * r]);
      state.plain_square = state.shadow_square = totals[2 * r + 1];
      N rho{};
      put_parts(totals[2 * r + 1], reinterpret_cast<double*>(&rho));
      state.rho = rho;
    }
  }
};

/// r = b - A x, |r|^2 and |b|^2
template <class N, class Matrix>
struct ResidualOf {
  static constexpr int width = Matrix::width, sums = 2;
  Matrix matrix;
  const N* b = nullptr;
  const N* x = nullptr;
  N* r = nullptr;
  double* squares = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double* partial) const {
    N product[1];
    matrix.template sum<1>(group, i, x, product);
    if (group.lane() != 0) return;
    r[i] = minus(b[i], product[0]);
    partial[0] += square(r[i]);
    partial[1] += square(b[i]);
  }
  TW_FN void finish(const double* totals) const {
    squares[0] = totals[0];
    squares[1] = totals[1];
  }
};

/// The norms of the right-hand sides that are starting.
template <class N, int R>
struct SideNorm {
  static constexpr int width = 1, sums = R;
  IterationVectors<N> v;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    for (int r = 0; r < R; ++r)
      if (v.state[r].phase == starting) partial[r] += v.weight(i) * square(v.b[static_cast<std::int64_t>(i) * R + r]);
  }
  TW_FN void finish(const double* totals) const {
    for (int r = 0; r < R; ++r)
      if (v.state[r].phase == starting) v.state[r].norm = sqrt(totals[r]);
  }
};

/// Counts an iteration of a system that is going.
template <class N>
TW_FN void begin_iteration(IterationState<N>& state) {
  if (!(state.norm < state.too_large) || state.iterations == state.most) {
    state.phase = stopped;
    return;
  }
  ++state.iterations;
  state.ends_as = 0;
  if (is_negligible(state.rho, state.shadow_square, state.plain_square)) state.phase = broken;
}

/// v = A p_hat and alpha = rho / (shadow, v), or, of the second half, t = A r_hat and omega = (t, r) / (t, t).
template <class N, int R, class Matrix>
struct ProductAndStep {
  static constexpr int per = parts<N> + 1;
  static constexpr int width = Matrix::width, sums = per * R;
  Matrix matrix;
  IterationVectors<N> v;
  bool is_second = false;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double* partial) const {
    if (!any_in<R>(v.state, going)) return;
    N product[R];
    matrix.template sum<R>(group, i, is_second ? v.r_hat : v.p_hat, product);
    if (group.lane() != 0) return;
    const std::int64_t first = static_cast<std::int64_t>(matrix.row(i)) * R;
    N* const out = is_second ? v.t : v.v;
    for (int r = 0; r < R; ++r) {
      if (v.state[r].phase != going) continue;
      out[first + r] = product[r];
      put_parts(
          is_second ? times_conjugate(product[r], v.r[first + r]) : times_conjugate(v.shadow[first + r], product[r]),
          partial + per * r);
      partial[per * r + parts<N>] += square(product[r]);
    }
  }
  TW_FN void finish(const double* totals) const {
    for (int r = 0; r < R; ++r) {
      IterationState<N>& state = v.state[r];
      if (state.phase != going || state.ends_as != 0) continue;
      N dot{};
      join(totals + per * r, dot);
      const double size = totals[per * r + parts<N>];
      if (is_second) {
        if (is_negligible(dot, state.plain_square, size))
          state.ends_as = broken;
        else
          state.omega = over(dot, size);
      } else if (is_negligible(dot, state.shadow_square, size)) {
        state.phase = broken;
      } else {
        state.alpha = over(state.rho, dot);
      }
    }
  }
};

/// r -= alpha v
template <class N, int R>
struct HalfStep {
  static constexpr int width = 1, sums = 2 * R;
  IterationVectors<N> v;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    for (int r = 0; r < R; ++r) {
      if (v.state[r].phase != going) continue;
      const std::int64_t at = static_cast<std::int64_t>(i) * R + r;
      v.keep_residual(i, at, minus(v.r[at], times(v.state[r].alpha, v.v[at])), partial + 2 * r);
    }
  }
  TW_FN void finish(const double* totals) const {
    for (int r = 0; r < R; ++r) {
      IterationState<N>& state = v.state[r];
      if (state.phase != going) continue;
      state.norm = sqrt(totals[2 * r]);
      state.plain_square = totals[2 * r + 1];
      if (state.norm <= state.target) state.ends_as = small;
    }
  }
};

/// x += alpha p_hat + omega r_hat, r -= omega t; of a step that ends in its first half only x += alpha p_hat. What goes
/// on begins the next iteration.
template <class N, int R>
struct WholeStep {
  static constexpr int per = 2 + parts<N>;
  static constexpr int width = 1, sums = per * R;
  IterationVectors<N> v;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    for (int r = 0; r < R; ++r) {
      const IterationState<N>& state = v.state[r];
      if (state.phase != going) continue;
      const std::int64_t at = static_cast<std::int64_t>(i) * R + r;
      const N forward = plus(v.x[at], times(state.alpha, v.p_hat[at]));
      if (state.ends_as != 0) {
        v.x[at] = forward;
        continue;
      }
      v.x[at] = plus(forward, times(state.omega, v.r_hat[at]));
      const N residual = minus(v.r[at], times(state.omega, v.t[at]));
      v.keep_residual(i, at, residual, partial + per * r);
      put_parts(times_conjugate(v.shadow[at], residual), partial + per * r + 2);
    }
  }
  TW_FN void finish(const double* totals) const {
    for (int r = 0; r < R; ++r) {
      IterationState<N>& state = v.state[r];
      if (state.phase != going) continue;
      if (state.ends_as != 0) {
        state.phase = state.ends_as;
        continue;
      }
      state.norm = sqrt(totals[per * r]);
      state.plain_square = totals[per * r + 1];
      N rho{};
      join(totals + per * r + 2, rho);
      state.beta = times(over(rho, state.rho), over(state.alpha, state.omega));
      state.rho = rho;
      state.recent[(state.iterations - 1) % most_at_once] = state.norm;
      if (state.norm <= state.target)
        state.phase = small;
      else
        begin_iteration(state);
    }
  }
};

/// p = r + beta (p - omega v)
template <class N, int R>
struct TurnDirection {
  static constexpr int width = 1, sums = 0;
  IterationVectors<N> v;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    for (int r = 0; r < R; ++r) {
      const IterationState<N>& state = v.state[r];
      if (state.phase != going) continue;
      const std::int64_t at = static_cast<std::int64_t>(i) * R + r;
      v.p[at] = plus(v.r[at], times(state.beta, minus(v.p[at], times(state.omega, v.v[at]))));
    }
  }
};

/// y = factor x, number by number; a null factor is 1.
template <class N, int R>
struct ScaleRows {
  static constexpr int width = 1, sums = 0;
  const N* factor = nullptr;
  const N* x = nullptr;
  N* y = nullptr;
  const IterationState<N>* state = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    if (!any_in<R>(state, going)) return;
    for (int r = 0; r < R; ++r) {
      const std::int64_t at = static_cast<std::int64_t>(i) * R + r;
      y[at] = factor == nullptr ? x[at] : times(factor[i], x[at]);
    }
  }
};

/// y = d (scale base - weight d' P x) for rows `order[i]`, or i without an order; d, d' are `inverse` or 1; y may be
/// base, and x where the order is one of levels.
template <class N, int R, class Matrix>
struct SweepRows {
  static constexpr int width = Matrix::width, sums = 0;
  Matrix matrix;
  const std::int32_t* order = nullptr;
  const N* x = nullptr;
  const N* base = nullptr;
  N* y = nullptr;
  const N* inverse = nullptr;
  double scale = 1, weight = 1;
  bool scales_all = false;  ///< d
  bool scales_sum = false;  ///< d'
  const IterationState<N>* state = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double*) const {
    if (!any_in<R>(state, going)) return;
    const std::int32_t place = order == nullptr ? i : order[i];
    N product[R];
    matrix.template sum<R>(group, place, x, product);
    if (group.lane() != 0) return;
    const std::int32_t row = matrix.row(place);
    for (int r = 0; r < R; ++r) {
      const std::int64_t at = static_cast<std::int64_t>(row) * R + r;
      const N sum = times(weight, scales_sum ? times(inverse[row], product[r]) : product[r]);
      const N all = minus(times(scale, base[at]), sum);
      y[at] = scales_all ? times(inverse[row], all) : all;
    }
  }
};

/// The values of some rows, in the order of `places`.
template <class N>
struct TakeRows {
  static constexpr int width = 1, sums = 0;
  const std::int32_t* places = nullptr;
  const N* from = nullptr;
  N* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    to[i] = from[places[i]];
  }
};

/// One of the tiles of a kernel, as a kernel.
template <class Kernel>
struct TileOf {
  static constexpr int width = Kernel::width, sums = Kernel::sums;
  const Kernel& kernel;
  std::int32_t tile;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double* partial) const {
    kernel(group, tile, i, partial);
  }
  TW_FN void finish(const double* totals) const { kernel.finish(tile, totals); }
};

/// Values from some places to others.
template <class N>
struct MoveRows {
  static constexpr int width = 1, sums = 0;
  const std::int32_t *places_from = nullptr, *places_to = nullptr;
  const N* from = nullptr;
  N* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    to[places_to[i]] = from[places_from[i]];
  }
};

/// y = a x + b y
struct Combine {
  static constexpr int width = 1, sums = 0;
  const double* x = nullptr;
  double* y = nullptr;
  double a = 0, b = 0;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    y[i] = a * x[i] + b * y[i];
  }
};

/// Sums of w y x of several vectors x; of a null x 0, null weights are 1.
template <int count>
struct VectorProducts {
  static constexpr int width = 1, sums = count;
  const double* x[count] = {};
  const double* y = nullptr;
  const double* weights = nullptr;
  double* results = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    const double own = weights == nullptr ? y[i] : weights[i] * y[i];
    for (int k = 0; k < count; ++k)
      if (x[k] != nullptr) partial[k] += own * x[k][i];
  }
  TW_FN void finish(const double* totals) const {
    for (int k = 0; k < count; ++k) results[k] = totals[k];
  }
};

/// y = sum of factor x
template <int count>
struct SumVectors {
  static constexpr int width = 1, sums = 0;
  const double* x[count] = {};
  double factors[count] = {};
  double* y = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += factors[k] * x[k][i];
    y[i] = sum;
  }
};

/// Numbers are added to those at places, each named once.
struct AddNumbers {
  static constexpr int width = 1, sums = 0;
  const std::int32_t* places = nullptr;
  const double* from = nullptr;
  double* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    to[places[i]] += from[i];
  }
};

}  // namespace tetrawave::fem::device
