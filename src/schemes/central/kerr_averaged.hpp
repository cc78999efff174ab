// The nonlinear half of an update with the dissertation's residual, for comparison: eps at the mean of E+ and E
// (theory/kerr). Its matrix has int 2 chi/2 (N_i . E+)(N_j . mean) and is solved without symmetry.
#pragma once

#include "schemes/central/kerr_update.hpp"

namespace tetrawave::kernels {

/// x = a^-1 b by elimination without pivoting (a: n x n, both destroyed).
template <int n, class R>
TW_FN void solve_general(R* a, R* b, R* x) {
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

template <class S>
struct KerrAveragedUpdate : KerrSolver<S> {
  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    this->template run_on<Basis>(lane, *this);
  }

  template <class Basis, class Lane, class R>
  TW_FN auto change(const Lane& lane, const R* gram, R* u) const {
    R before[Basis::dofs], moment[Basis::dofs];
    this->template advance_density<Basis>(lane, gram, u, before, moment);
    iterate<Basis>(lane, gram, u, before, moment);
    this->template put<Basis>(lane, u);
    return this->template squares<Basis>(lane, gram, u);
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN void iterate(const Lane& lane, const R* gram, R* u, const R* before, const R* moment) const {
    constexpr int n = Basis::dofs;
    const R limit = this->tolerance * this->tolerance * this->template square_of<n>(moment);
    R active = R{} + 1;
    R count = R{};
    for (int pass = 0;; ++pass) {
      R r[n];
      R k[n * n];
      assemble<Basis>(lane, gram, u, before, moment, r, k);
      active *= lane.positive(this->template square_of<n>(r) - limit);
      if (pass == this->most || !lane.some(active)) break;
      count += active;
      R change[n];
      solve_general<n>(k, r, change);
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) u[i] -= active * change[i];
    }
    this->keep_count(lane, count, active);
  }

  /// r = int N . (c + chi |mean|^2) E - moment, k its derivative (or without that of eps).
  template <class Basis, class Lane, class R>
  TW_FN void assemble(const Lane&, const R* gram, const R* u, const R* before, const R* moment, R* r, R* k) const {
    constexpr int n = Basis::dofs;
    for (int i = 0; i < n; ++i) r[i] = -moment[i];
    for (int e = 0; e < n * n; ++e) k[e] = R{};
    TW_UNROLL_BY(1)
    for (int g = 0; g < this->points; ++g) {
      R v[3], p[3], w[3], mean[3];
      const S* at = this->template see<n>(g, gram, u, v, p);
      this->template value<n>(at, before, w);
      for (int a = 0; a < 3; ++a) w[a] = (w[a] + v[a]) * S(0.5);
      this->apply(gram, w, mean);
      const R f = this->weight[g] * (this->c + this->chi * (w[0] * mean[0] + w[1] * mean[1] + w[2] * mean[2]));
      const S slope = this->newton ? this->weight[g] * this->chi : S(0);
      for (int i = 0; i < n; ++i) {
        const S* ci = at + 3 * i;
        const R along = ci[0] * p[0] + ci[1] * p[1] + ci[2] * p[2];
        r[i] += f * along;
        R y[3];
        const R ci_r[3] = {R{} + ci[0], R{} + ci[1], R{} + ci[2]};
        this->apply(gram, ci_r, y);
        for (int a = 0; a < 3; ++a) y[a] = f * y[a] + slope * along * mean[a];
        for (int j = 0; j < n; ++j) k[i * n + j] += at[3 * j] * y[0] + at[3 * j + 1] * y[1] + at[3 * j + 2] * y[2];
      }
    }
  }
};

}  // namespace tetrawave::kernels
