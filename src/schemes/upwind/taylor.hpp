// DGTD-Upwind with LTS (theory/lts): an element's prediction, and dispersion split from the fields.
#pragma once

#include "schemes/upwind/stage.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::kernels {

/// Maximum number of terms of a Taylor polynomial: one more than the highest degree.
inline constexpr int most_taylor_terms = 5;

/// seen = sum_k weight_k V^k u, V the element's own curl and losses: with weight_k = (t1^{k+1} - t0^{k+1})/(k+1)! the
/// integral from t0 to t1 of the element's own evolution from u, times in units of the step in the tables.
template <class S>
struct UpwindTaylor {
  using Scalar = S;
  Elements<S> elements;     ///< neighbours are not used
  UpwindField<S> electric;  ///< old_values: u, new_values: seen
  UpwindField<S> magnetic;
  S weight[most_taylor_terms] = {};
  int terms = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    const auto material = word >> ElementWord::class_shift;
    R e[Basis::dofs];
    R h[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      e[i] = lane.load(electric.old_values, Basis::dofs, i);
      h[i] = lane.load(magnetic.old_values, Basis::dofs, i);
      lane.store(electric.new_values, Basis::dofs, i, weight[0] * e[i]);
      lane.store(magnetic.new_values, Basis::dofs, i, weight[0] * h[i]);
    }
    TW_UNROLL_BY(1)
    for (int k = 1; k < terms; ++k) {
      R next[Basis::dofs];
      find_rate<Basis>(lane, electric, material, sign, e, h, next);
      find_rate<Basis>(lane, magnetic, material, -sign, h, e, h);
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) e[i] = next[i];
      add<Basis>(lane, electric.new_values, weight[k], e);
      add<Basis>(lane, magnetic.new_values, weight[k], h);
    }
  }

  /// The same by a team of six threads an element, three a field, on GPUs (schemes/upwind/stage.hpp).
  template <class Basis>
  requires(Basis::style == ProductStyle::sparse) TW_FN static constexpr int inputs() { return 2 * Basis::dofs; }
  static constexpr int team_size = 6;

  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto material = word >> ElementWord::class_shift;
    const bool is_electric = team.rank() < 3;
    const int place = is_electric ? team.rank() : team.rank() - 3;
    const UpwindField<S>& field = is_electric ? electric : magnetic;
    const int own = is_electric ? 0 : Basis::dofs;
    const int other = Basis::dofs - own;
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1) * S(is_electric ? 1 : -1);
    const R gain = lane.lookup(field.gain, material) * sign;
    const R loss = lane.lookup(field.loss, material);
    R by[12];
    {
      R q[6];
      field.metric.load(lane, q);
      weigh_place(q, place, by);
    }
    R u[m];
    R sum[m];
    TW_UNROLL
    for (int i = 0; i < m; ++i) {
      u[i] = lane.load(field.old_values, Basis::dofs, 3 * i + place);
      sum[i] = weight[0] * u[i];
    }
    TW_UNROLL_BY(1)
    for (int k = 1; k < terms; ++k) {
      TW_UNROLL
      for (int i = 0; i < m; ++i) team.put(own + 3 * i + place, u[i]);
      team.sync();
      R curl[m];
      if (place == 0)
        find_component<Basis, 1>(team, other, curl);
      else if (place == 1)
        find_component<Basis, 2>(team, other, curl);
      else
        find_component<Basis, 3>(team, other, curl);
      team.sync();
      TW_UNROLL
      for (int i = 0; i < m; ++i) team.put(own + place * m + i, curl[i]);
      team.sync();
      TW_UNROLL
      for (int i = 0; i < m; ++i) {
        u[i] = gain * change_at_place<Basis>(team, i, by, own) - loss * u[i];
        sum[i] += weight[k] * u[i];
      }
      team.sync();
    }
    TW_UNROLL
    for (int i = 0; i < m; ++i) lane.store(field.new_values, Basis::dofs, 3 * i + place, sum[i]);
  }

 private:
  /// Contravariant component c of the curl of the field that the team has given from place `first` on.
  template <class Basis, int c, class Team, class R>
  TW_FN static void find_component(const Team& team, int first, R* curl) {
    R v[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) v[i] = team.get(first + i);
    Basis::template curl_component<c, S>(v, curl);
  }

  /// rate = gain M^-1 C other - loss own; `rate` may be `own`.
  template <class Basis, class Lane, class Word, class R>
  TW_FN void find_rate(const Lane& lane, const UpwindField<S>& field, const Word& material, const R& sign, const R* own,
                       const R* other, R* rate) const {
    R z[Basis::dofs];
    {
      R w[Basis::dofs];
      if constexpr (Basis::style == ProductStyle::sparse) {
        find_curl<Basis, S>(other, w);
      } else {
        R dual[Basis::dofs];
        Basis::template curl_dual<S>(other, dual);
        Basis::template to_modes<S>(dual, w);
      }
      R q[6];
      field.metric.load(lane, q);
      invert_mass<Basis, S>(q, w, z);
    }
    R curl[Basis::dofs];
    Basis::template to_dofs<S>(z, curl);
    const R gain = lane.lookup(field.gain, material) * sign;
    const R loss = lane.lookup(field.loss, material);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) rate[i] = gain * curl[i] - loss * own[i];
  }

  template <class Basis, class Lane, class R>
  TW_FN void add(const Lane& lane, S* seen, S share, const R* u) const {
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i)
      lane.store(seen, Basis::dofs, i, lane.load(seen, Basis::dofs, i) + share * u[i]);
  }
};

template <class Basis, class S>
struct TermsOf<Basis, UpwindTaylor<S>> : InBernsteinForm<Basis> {};

/// c u' = -sum P' with the terms' own equations, by the trapezoidal rule: with u+ = u + d
///   (c + sum g1) d = -sum ((T11 - 1) x1 + T12 x2 + 2 g1 u),   x+ = T x + g (2 u + d).
/// Constants as in DGTD-Central; states: x1, x2. In anisotropic media with terms or a conductivity, the sum includes
/// sigma dt u, and d is computed from it elsewhere (terms/dispersion/axes.hpp), between two runs.
template <class S>
struct PolesAlone {
  using Scalar = S;
  PoleList<S> list;
  S* field = nullptr;
  S* sums = nullptr;   ///< n rows: the sum, and then d
  S share = 0;         ///< 1/(c + sum g1)
  S loss = 0;          ///< sigma dt
  bool given = false;  ///< d is in `sums`, negative

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    const int rows = 2 * list.terms * Basis::dofs;
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(field, Basis::dofs, own, lane.all(i));
      if (given) {
        advance<Basis>(lane, own, i, u, R{} - lane.load(sums, Basis::dofs, i));
        continue;
      }
      R sum = loss * u;
      for (int t = 0; t < list.terms; ++t) {
        const S* c = list.constants + term_constants * t;
        const R x1 = lane.load(list.memory, rows, memory_row<Basis>(t, 0, i));
        const R x2 = lane.load(list.memory, rows, memory_row<Basis>(t, 1, i));
        sum += c[0] * x1 - x1 + c[1] * x2 + 2 * c[4] * u;
      }
      if (sums != nullptr)
        lane.store(sums, Basis::dofs, i, sum);
      else
        advance<Basis>(lane, own, i, u, R{} - share * sum);
    }
  }

 private:
  /// Terms and field, which changes by d.
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void advance(const Lane& lane, const Integer& own, int i, const R& u, const R& d) const {
    const int rows = 2 * list.terms * Basis::dofs;
    const R twice = u + u + d;
    for (int t = 0; t < list.terms; ++t) {
      const S* c = list.constants + term_constants * t;
      const R x1 = lane.load(list.memory, rows, memory_row<Basis>(t, 0, i));
      const R x2 = lane.load(list.memory, rows, memory_row<Basis>(t, 1, i));
      lane.store(list.memory, rows, memory_row<Basis>(t, 0, i), c[0] * x1 + c[1] * x2 + c[4] * twice);
      lane.store(list.memory, rows, memory_row<Basis>(t, 1, i), c[2] * x1 + c[3] * x2 + c[5] * twice);
    }
    lane.scatter(field, Basis::dofs, own, i, u + d);
  }
};

}  // namespace tetrawave::kernels
