// The nonlinear half of an update of E in DGTD-Central: Kerr media (THEORY.md 19, dissertation chapter 5 as corrected).
//
// The plain update has made u* with c (u* - u) = dt M^-1(...), c = eps_r + losses and polarisations at the new time.
// With D(u) = (c + chi |E|^2) E the density advances by just that, and the new field solves element by element
//   M D+ = int N . (c + chi |E+|^2) E+,   D+ = D + c (u* - u).
// Newton's matrix int (c + chi |E|^2) N_i . N_j + 2 chi (N_i . E)(N_j . E) is symmetric and positive definite; without
// its second part this is the fixed-point iteration, damped by a half. `averaged`: the dissertation's eps at the mean
// of E+ and E; its matrix has int 2 chi/2 (N_i . E+)(N_j . mean) and is solved without symmetry. Integrals by
// quadrature with covariant components u_a of E at its points: |E|^2 = u . adj(q) u, all without |det J|.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// Figures kept per element: iterations in all, the most in a step, the largest eps_r, the first step that did not
/// converge (-1: none).
inline constexpr int kerr_figures = 4;

enum class KerrPhase : int {
  solve,     ///< after the plain update
  begin,     ///< density and figures from the field
  remember,  ///< the field is that of the step before
};

template <class S>
struct KerrUpdate {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  const S* metric = nullptr;              ///< 6 rows, of the shape
  S* field = nullptr;
  S* density = nullptr;       ///< n rows: D/eps0 as dofs
  S* earlier = nullptr;       ///< n rows: the field of the step before
  S* figures = nullptr;       ///< kerr_figures rows
  S* energy = nullptr;        ///< 1 row, of all elements: int 3/2 chi |E|^4
  const S* shape = nullptr;   ///< per point 3 n: component a of function i at 3 i + a
  const S* weight = nullptr;  ///< per point; their sum is 1/6
  int points = 0;
  S c = 1;
  S eps_r = 1;
  S chi = 0;
  S tolerance = 0;  ///< of the residual, relative to the density
  int most = 0;     ///< iterations
  bool newton = true;
  bool averaged = false;
  KerrPhase phase = KerrPhase::solve;
  const std::int64_t* step = nullptr;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    const auto own = lane.load_integer(element, 1, 0);
    R q[6];
    for (int a = 0; a < 6; ++a) q[a] = lane.gather(metric, 6, own, lane.all(a));
    R gram[6];
    const R det = adjugate(q, gram);
    R u[n];
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) u[i] = lane.gather(field, n, own, lane.all(i));
    if (phase == KerrPhase::solve) solve<Basis>(lane, gram, u);
    if (phase == KerrPhase::begin) begin<Basis>(lane, gram, u);
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) lane.store(earlier, n, i, u[i]);
    if (phase == KerrPhase::solve) {
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) lane.scatter(field, n, own, i, u[i]);
    }
    take_figures<Basis>(lane, gram, u, own, det);
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN void solve(const Lane& lane, const R* gram, R* u) const {
    constexpr int n = Basis::dofs;
    R before[n];
    R moment[n];
    {
      R d[n];
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) {
        before[i] = lane.load(earlier, n, i);
        d[i] = lane.load(density, n, i) + c * (u[i] - before[i]);
        lane.store(density, n, i, d[i]);
      }
      mass_product<Basis>(lane, gram, d, moment);
    }
    R size = R{};
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) size += moment[i] * moment[i];
    R active = R{} + 1;
    R count = R{};
    int pass = 0;
    for (; pass <= most; ++pass) {
      const R left = averaged ? iterate<Basis, true>(lane, gram, u, before, moment, size, active, pass == most)
                              : iterate<Basis, false>(lane, gram, u, before, moment, size, active, pass == most);
      active = left;
      if (!lane.some(active)) break;
      count += active;
    }
    keep_count(lane, pass > most ? count - active : count, pass > most ? active : R{});
  }

  /// One pass: who has not converged (1), else 0; those take a step, but for the `last` pass.
  template <class Basis, bool general, class Lane, class R>
  TW_FN R iterate(const Lane& lane, const R* gram, R* u, const R* before, const R* moment, const R& size,
                  const R& active, bool last) const {
    constexpr int n = Basis::dofs;
    R r[n];
    R k[general ? n * n : n * (n + 1) / 2];
    assemble<Basis, general>(lane, gram, u, before, moment, r, k);
    R wrong = R{};
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) wrong += r[i] * r[i];
    const R left = active * lane.positive(wrong - tolerance * tolerance * size);
    if (last || !lane.some(left)) return left;
    R change[n];
    if constexpr (general)
      solve_general<n>(k, r, change);
    else if constexpr (n <= 12)
      solve_packed<n>(k, R{} + 1, r, change);
    else
      solve_in_place<n>(k, r, change);
    const R share = left * S(newton || averaged ? 1 : 0.5);
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) u[i] -= share * change[i];
    return left;
  }

  /// r = int N . (c + s) E - moment, k its derivative (or of the fixed point: without that of s).
  template <class Basis, bool general, class Lane, class R>
  TW_FN void assemble(const Lane&, const R* gram, const R* u, const R* before, const R* moment, R* r, R* k) const {
    constexpr int n = Basis::dofs;
    constexpr int entries = general ? n * n : n * (n + 1) / 2;
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) r[i] = -moment[i];
    TW_UNROLL_IF(n <= 12)
    for (int e = 0; e < entries; ++e) k[e] = R{};
    const S two_chi = newton ? 2 * chi : S(0);
    for (int g = 0; g < points; ++g) {
      const S* at = shape + 3 * n * g;
      R v[3];
      R p[3];
      value<n>(at, u, v);
      apply(gram, v, p);
      R mean[3] = {p[0], p[1], p[2]};  // of the E that eps is taken at
      R square = v[0] * p[0] + v[1] * p[1] + v[2] * p[2];
      if constexpr (general) {
        R w[3];
        value<n>(at, before, w);
        for (int a = 0; a < 3; ++a) w[a] = (w[a] + v[a]) * S(0.5);
        apply(gram, w, mean);
        square = w[0] * mean[0] + w[1] * mean[1] + w[2] * mean[2];
      }
      const R f = weight[g] * (c + chi * square);
      const R slope = R{} + weight[g] * (general ? two_chi / 2 : two_chi);
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) {
        const S* ci = at + 3 * i;
        r[i] += f * (ci[0] * p[0] + ci[1] * p[1] + ci[2] * p[2]);
        R y[3];
        R ci_r[3] = {R{} + ci[0], R{} + ci[1], R{} + ci[2]};
        apply(gram, ci_r, y);
        const R along = slope * (ci[0] * p[0] + ci[1] * p[1] + ci[2] * p[2]);
        for (int a = 0; a < 3; ++a) y[a] = f * y[a] + along * mean[a];
        TW_UNROLL_IF(n <= 12)
        for (int j = 0; j < (general ? n : i + 1); ++j) {
          const S* cj = at + 3 * j;
          k[general ? i * n + j : i * (i + 1) / 2 + j] += cj[0] * y[0] + cj[1] * y[1] + cj[2] * y[2];
        }
      }
    }
  }

  /// moment = int N . v
  template <class Basis, class Lane, class R>
  TW_FN void mass_product(const Lane&, const R* gram, const R* v, R* moment) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) moment[i] = R{};
    for (int g = 0; g < points; ++g) {
      const S* at = shape + 3 * n * g;
      R w[3];
      R p[3];
      value<n>(at, v, w);
      apply(gram, w, p);
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i)
        moment[i] += weight[g] * (at[3 * i] * p[0] + at[3 * i + 1] * p[1] + at[3 * i + 2] * p[2]);
    }
  }

  /// The density of the present field: M D = int N . (c + chi |E|^2) E.
  template <class Basis, class Lane, class R>
  TW_FN void begin(const Lane& lane, const R* gram, const R* u) const {
    constexpr int n = Basis::dofs;
    R r[n];
    R mass[n * (n + 1) / 2];
    for (int i = 0; i < n; ++i) r[i] = R{};
    for (int e = 0; e < n * (n + 1) / 2; ++e) mass[e] = R{};
    for (int g = 0; g < points; ++g) {
      const S* at = shape + 3 * n * g;
      R v[3];
      R p[3];
      value<n>(at, u, v);
      apply(gram, v, p);
      const R f = weight[g] * (c + chi * (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]));
      for (int i = 0; i < n; ++i) {
        const S* ci = at + 3 * i;
        r[i] += f * (ci[0] * p[0] + ci[1] * p[1] + ci[2] * p[2]);
        R y[3];
        const R ci_r[3] = {R{} + weight[g] * ci[0], R{} + weight[g] * ci[1], R{} + weight[g] * ci[2]};
        apply(gram, ci_r, y);
        for (int j = 0; j <= i; ++j)
          mass[i * (i + 1) / 2 + j] += at[3 * j] * y[0] + at[3 * j + 1] * y[1] + at[3 * j + 2] * y[2];
      }
    }
    R d[n];
    solve_in_place<n>(mass, r, d);
    for (int i = 0; i < n; ++i) lane.store(density, n, i, d[i]);
    lane.store(figures, kerr_figures, 0, R{});
    lane.store(figures, kerr_figures, 1, R{});
    lane.store(figures, kerr_figures, 2, R{});
    lane.store(figures, kerr_figures, 3, R{} - 1);
  }

  /// The energy of the nonlinear part and the largest eps_r, at the points of the quadrature.
  template <class Basis, class Lane, class R, class Integer>
  TW_FN void take_figures(const Lane& lane, const R* gram, const R* u, const Integer& own, const R& det) const {
    constexpr int n = Basis::dofs;
    R sum = R{};
    R largest = lane.load(figures, kerr_figures, 2);
    for (int g = 0; g < points; ++g) {
      R v[3];
      R p[3];
      value<n>(shape + 3 * n * g, u, v);
      apply(gram, v, p);
      const R square = v[0] * p[0] + v[1] * p[1] + v[2] * p[2];
      sum += weight[g] * square * square;
      largest = lane.larger(largest, eps_r + chi * square);
    }
    lane.store(figures, kerr_figures, 2, largest);
    lane.scatter(energy, 1, own, 0, S(1.5) * chi * sum / det);  // |det J| = 1/det q
  }

  template <class Lane, class R>
  TW_FN void keep_count(const Lane& lane, const R& count, const R& failed) const {
    lane.store(figures, kerr_figures, 0, lane.load(figures, kerr_figures, 0) + count);
    lane.store(figures, kerr_figures, 1, lane.larger(lane.load(figures, kerr_figures, 1), count));
    const R first = lane.load(figures, kerr_figures, 3);
    const R here = failed * lane.positive(-first);  // only the first is kept
    lane.store(figures, kerr_figures, 3, first + here * (static_cast<S>(*step) - first));
  }

  template <int n, class R>
  TW_FN static void value(const S* at, const R* u, R* v) {
    v[0] = v[1] = v[2] = R{};
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) {
      v[0] += at[3 * i] * u[i];
      v[1] += at[3 * i + 1] * u[i];
      v[2] += at[3 * i + 2] * u[i];
    }
  }
  template <class R>
  TW_FN static void apply(const R* gram, const R* v, R* p) {
    p[0] = gram[0] * v[0] + gram[1] * v[1] + gram[2] * v[2];
    p[1] = gram[1] * v[0] + gram[3] * v[1] + gram[4] * v[2];
    p[2] = gram[2] * v[0] + gram[4] * v[1] + gram[5] * v[2];
  }

  /// x = a^-1 b for a symmetric positive definite a (packed lower triangle, destroyed), by L D L^T with loops.
  template <int n, class R>
  TW_FN static void solve_in_place(R* a, R* b, R* x) {
    for (int j = 0; j < n; ++j) {
      R* row = a + j * (j + 1) / 2;
      for (int i = 0; i < j; ++i) {  // row[i] = L_ji D_i so far
        R sum = row[i];
        const R* other = a + i * (i + 1) / 2;
        for (int m = 0; m < i; ++m) sum -= row[m] * other[m];
        row[i] = sum;
      }
      R pivot = row[j];
      for (int i = 0; i < j; ++i) {
        const R scaled = row[i] * a[i * (i + 1) / 2 + i];
        pivot -= row[i] * scaled;
        row[i] = scaled;
      }
      row[j] = (R{} + 1) / pivot;
    }
    for (int i = 0; i < n; ++i) {
      x[i] = b[i];
      for (int m = 0; m < i; ++m) x[i] -= a[i * (i + 1) / 2 + m] * x[m];
    }
    for (int i = 0; i < n; ++i) x[i] *= a[i * (i + 1) / 2 + i];
    for (int i = n - 1; i >= 0; --i)
      for (int m = i + 1; m < n; ++m) x[i] -= a[m * (m + 1) / 2 + i] * x[m];
  }

  /// x = a^-1 b by elimination without pivots (a: n x n, both destroyed).
  template <int n, class R>
  TW_FN static void solve_general(R* a, R* b, R* x) {
    for (int j = 0; j < n; ++j) {
      const R inverse = (R{} + 1) / a[j * n + j];
      for (int i = j + 1; i < n; ++i) {
        const R factor = a[i * n + j] * inverse;
        for (int m = j; m < n; ++m) a[i * n + m] -= factor * a[j * n + m];
        b[i] -= factor * b[j];
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      R sum = b[i];
      for (int m = i + 1; m < n; ++m) sum -= a[i * n + m] * x[m];
      x[i] = sum / a[i * n + i];
    }
  }
};

}  // namespace tetrawave::kernels
