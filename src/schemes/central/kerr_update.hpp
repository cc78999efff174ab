// The nonlinear half of an update of E in DGTD-Central: Kerr media (theory/kerr, dissertation chapter 5 as corrected).
//
// The linear update has computed u* with c (u* - u) = dt M^-1(...), c = eps_r + losses and polarisations at the new
// time. With D(u) = (c + chi |E|^2) E the density advances by just that, and the new field solves, element by element,
//   M D+ = int N . (c + chi |E+|^2) E+,   D+ = D + c (u* - u).
// Newton's matrix int (c + chi |E|^2) N_i . N_j + 2 chi (N_i . E)(N_j . E) is symmetric and positive definite; without
// its second part this is the fixed-point iteration, with the relaxation (1 + s)/(1 + 2 s), s = max chi |E|^2/c over
// the points, and its matrix is recomputed if a pass leaves more than a quarter of the residual. A pass evaluates the
// residual first, so that most elements need only two passes and one matrix.
#pragma once

#include "schemes/central/kerr_element.hpp"
#include "schemes/central/kerr_team.hpp"

namespace tetrawave::kernels {

/// Parameters of the solution of an update, and its results.
template <class S>
struct KerrSolver : KerrElements<S> {
  S tolerance = 0;  ///< of the residual, relative to the density
  int most = 0;     ///< iterations
  bool newton = true;
  const std::int64_t* step = nullptr;

  /// Advances the density by c (u - before), `before` being the field of the previous step, and returns its moments.
  template <class Basis, class Lane, class R>
  TW_FN void advance_density(const Lane& lane, const R* gram, const R* u, R* before, R* moment) const {
    constexpr int n = Basis::dofs;
    R d[n];
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) {
      before[i] = lane.load(this->earlier, n, i);
      d[i] = lane.load(this->density, n, i) + this->c * (u[i] - before[i]);
      lane.store(this->density, n, i, d[i]);
    }
    this->template mass_product<Basis>(lane, gram, d, moment);
  }

  template <class Lane, class R>
  TW_FN void keep_count(const Lane& lane, const R& count, const R& failed) const {
    lane.store(this->figures, kerr_figures, 0, lane.load(this->figures, kerr_figures, 0) + count);
    lane.store(this->figures, kerr_figures, 1, lane.larger(lane.load(this->figures, kerr_figures, 1), count));
    const R first = lane.load(this->figures, kerr_figures, 3);
    const R here = failed * lane.positive(-first);  // only the first is kept
    lane.store(this->figures, kerr_figures, 3, first + here * (static_cast<S>(*step) - first));
  }
};

/// After the linear update of E.
template <class S>
struct KerrUpdate : KerrSolver<S> {
  template <class Lane>
  using Squares = typename KerrElements<S>::template Squares<Lane>;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    this->template run_on<Basis>(lane, *this);
  }

  /// The same by a team of threads an element, on GPUs.
  template <class Basis>
  requires(has_kerr(Basis::space) && Basis::dofs > 12) TW_FN static constexpr int inputs() {
    return KerrTeamPlaces<S, Basis>::numbers;
  }
  static constexpr int team_size = kerr_team_size;

  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    KerrTeam<S, Basis, KerrUpdate, Lane, Team>(*this, lane, team).run();
  }

  template <class Basis, class Lane, class R>
  TW_FN Squares<Lane> change(const Lane& lane, const R* gram, R* u) const {
    R moment[Basis::dofs];
    {
      R before[Basis::dofs];
      this->template advance_density<Basis>(lane, gram, u, before, moment);
    }
    const Squares<Lane> squares = iterate<Basis>(lane, gram, u, moment);
    this->template put<Basis>(lane, u);
    return squares;
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN Squares<Lane> iterate(const Lane& lane, const R* gram, R* u, const R* moment) const {
    constexpr int n = Basis::dofs;
    const R limit = this->tolerance * this->tolerance * this->template square_of<n>(moment);
    R active = R{} + 1;
    R count = R{};
    R r[n];
    R k[n * (n + 1) / 2] = {};
    R enough = R{};  // a square of the residual that the matrix at hand is good for
    Squares<Lane> squares;
    for (int pass = 0;; ++pass) {
      squares = residual<Basis>(lane, gram, u, moment, r);
      const R wrong = this->template square_of<n>(r);
      active *= lane.positive(wrong - limit);
      if (pass == this->most || !lane.some(active)) break;
      count += active;
      const R anew = this->newton ? active : active * lane.positive(wrong - enough);
      enough = wrong / 16;
      if (lane.some(anew)) {
        R made[n * (n + 1) / 2];
        assemble<Basis>(lane, gram, u, made);
        factor_packed<n>(made);
        TW_UNROLL_IF(n <= 12)
        for (int e = 0; e < n * (n + 1) / 2; ++e) k[e] = lane.where(anew, made[e], k[e]);
      }
      R share = active;
      if (!this->newton) {
        const R s = this->chi / this->c * squares.largest;
        share *= (R{} + 1 + s) / (R{} + 1 + 2 * s);
      }
      substitute_packed<n>(k, R{} + 1, r, r);
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) u[i] -= share * r[i];
    }
    this->keep_count(lane, count, active);
    return squares;
  }

  /// r = int N . (c + chi |E|^2) E - moment.
  template <class Basis, class Lane, class R>
  TW_FN Squares<Lane> residual(const Lane& lane, const R* gram, const R* u, const R* moment, R* r) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) r[i] = -moment[i];
    Squares<Lane> squares;
    TW_UNROLL_BY(1)
    for (int g = 0; g < this->points; ++g) {
      R v[3], p[3];
      const S* at = this->template see<n>(g, gram, u, v, p);
      const R square = v[0] * p[0] + v[1] * p[1] + v[2] * p[2];
      squares.largest = lane.larger(squares.largest, square);
      squares.integral += this->weight[g] * square * square;
      const R f = this->weight[g] * (this->c + this->chi * square);
      for (int a = 0; a < 3; ++a) p[a] *= f;
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) r[i] += at[3 * i] * p[0] + at[3 * i + 1] * p[1] + at[3 * i + 2] * p[2];
    }
    return squares;
  }

  /// k = int (c + chi |E|^2) N_i . N_j, and for Newton its part of the change of eps: at a point c_i . T
  /// c_j.
  template <class Basis, class Lane, class R>
  TW_FN void assemble(const Lane&, const R* gram, const R* u, R* k) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL_IF(n <= 12)
    for (int e = 0; e < n * (n + 1) / 2; ++e) k[e] = R{};
    TW_UNROLL_BY(1)
    for (int g = 0; g < this->points; ++g) {
      R v[3], p[3];
      const S* at = this->template see<n>(g, gram, u, v, p);
      const R f = this->weight[g] * (this->c + this->chi * (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]));
      const S slope = this->newton ? this->weight[g] * 2 * this->chi : S(0);
      const R t[6] = {f * gram[0] + slope * p[0] * p[0], f * gram[1] + slope * p[0] * p[1],
                      f * gram[2] + slope * p[0] * p[2], f * gram[3] + slope * p[1] * p[1],
                      f * gram[4] + slope * p[1] * p[2], f * gram[5] + slope * p[2] * p[2]};
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) {
        R y[3];
        const R ci[3] = {R{} + at[3 * i], R{} + at[3 * i + 1], R{} + at[3 * i + 2]};
        this->apply(t, ci, y);
        TW_UNROLL_IF(n <= 12)
        for (int j = 0; j < (n <= 12 ? n : i + 1); ++j)
          if (j <= i) k[i * (i + 1) / 2 + j] += at[3 * j] * y[0] + at[3 * j + 1] * y[1] + at[3 * j + 2] * y[2];
      }
    }
  }
};

/// Before the first step: figures and the energy of the field; `with_density`: also the density of the field, M D = int
/// N . (c + chi |E|^2) E.
template <class S>
struct KerrStart : KerrElements<S> {
  bool with_density = false;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    this->template run_on<Basis>(lane, *this);
  }

  template <class Basis, class Lane, class R>
  TW_FN auto change(const Lane& lane, const R* gram, const R* u) const {
    if (with_density) begin<Basis>(lane, gram, u);
    return this->template squares<Basis>(lane, gram, u);
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN void begin(const Lane& lane, const R* gram, const R* u) const {
    constexpr int n = Basis::dofs;
    R r[n];
    R mass[n * (n + 1) / 2];
    for (int i = 0; i < n; ++i) r[i] = R{};
    for (int e = 0; e < n * (n + 1) / 2; ++e) mass[e] = R{};
    TW_UNROLL_BY(1)
    for (int g = 0; g < this->points; ++g) {
      R v[3], p[3];
      const S* at = this->template see<n>(g, gram, u, v, p);
      const R f = this->weight[g] * (this->c + this->chi * (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]));
      for (int i = 0; i < n; ++i) {
        const S* ci = at + 3 * i;
        r[i] += f * (ci[0] * p[0] + ci[1] * p[1] + ci[2] * p[2]);
        R y[3];
        const R ci_r[3] = {R{} + this->weight[g] * ci[0], R{} + this->weight[g] * ci[1], R{} + this->weight[g] * ci[2]};
        this->apply(gram, ci_r, y);
        for (int j = 0; j < (n <= 12 ? n : i + 1); ++j)
          if (j <= i) mass[i * (i + 1) / 2 + j] += at[3 * j] * y[0] + at[3 * j + 1] * y[1] + at[3 * j + 2] * y[2];
      }
    }
    factor_packed<n>(mass);
    substitute_packed<n>(mass, R{} + 1, r, r);
    for (int i = 0; i < n; ++i) lane.store(this->density, n, i, r[i]);
    lane.store(this->figures, kerr_figures, 0, R{});
    lane.store(this->figures, kerr_figures, 1, R{});
    lane.store(this->figures, kerr_figures, 2, R{});
    lane.store(this->figures, kerr_figures, 3, R{} - 1);
  }
};

}  // namespace tetrawave::kernels
