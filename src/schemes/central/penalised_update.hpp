// The half step of E in DGTD-Central with a penalty on the jumps of its tangential part
// (theory/central#penalty-on-jumps):
//   M_e e' + B_e e = (C h + sum_f 1/2 D_f (h+ - h)) + sum_f alpha/(Z + Z+) F_f (e+ - e)
// the penalty at the beginning of the step. So the advanced field is read at neighbours, and written elsewhere.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/bernstein.hpp"
#include "kernels/element_block.hpp"
#include "kernels/face_components.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"
#include "kernels/traces.hpp"

namespace tetrawave::kernels {

/// target <- decay kept + s gain M^-1 (C v + sum_f 1/2 D_f (v+ - v) + s c F_f (u+ - u)), v = source, u = old.
template <class S>
struct PenalisedUpdate {
  using Scalar = S;
  Elements<S> elements;                  ///< metric of the shape alone
  Metric<S> metric;                      ///< of the field's mass, or the same
  const S* source = nullptr;             ///< the other field, ghosts included
  const S* old = nullptr;                ///< the field before the step, ghosts included
  const S* kept = nullptr;               ///< `old`, or `target`
  S* target = nullptr;                   ///< not `old`
  const S* decay = nullptr;              ///< per material class, as of CentralUpdate
  const S* gain = nullptr;               ///< likewise
  const std::uint32_t* kinds = nullptr;  ///< 2 rows: kinds of faces 0 and 1, of 2 and 3, 16 bits each
  const S* penalty = nullptr;            ///< c per kind, with the sign of the gain
  std::uint32_t mirror_code = 0;         ///< of `source`
  std::uint32_t own_mirror_code = 0;     ///< of `old`

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    elements.fetch(lane);
    const Traces<Basis, Lane, S> of_other(lane, elements, source);
    const Traces<Basis, Lane, S> of_own(lane, elements, old);
    const auto word = lane.load_integer(elements.word, 1, 0);
    R r[n];
    {
      R own[n];
      TW_UNROLL
      for (int i = 0; i < n; ++i) own[i] = lane.load(source, n, i);
      if constexpr (Basis::style == ProductStyle::sparse)
        find_curl<Basis, S>(own, r);
      else
        Basis::template curl_dual<S>(own, r);
    }
    R q[6];
    elements.metric.load(lane, q);
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    add_flux<Basis, 0>(lane, word, of_own, of_other, q, sign, r);
    add_flux<Basis, 1>(lane, word, of_own, of_other, q, sign, r);
    add_flux<Basis, 2>(lane, word, of_own, of_other, q, sign, r);
    add_flux<Basis, 3>(lane, word, of_own, of_other, q, sign, r);
    constexpr int count = n <= 30 ? n : n % 20 == 0 ? 20 : 15;  // loads of so many go out before the first store
    R before[count];
    const auto load = [&](int first) {
      TW_UNROLL
      for (int k = 0; k < count; ++k) before[k] = lane.load(kept, n, first + k);
    };
    load(0);
    R change[n];
    {
      metric.load(lane, q);
      R z[n];
      if constexpr (Basis::style == ProductStyle::sparse) {
        invert_mass<Basis, S>(q, r, z);
      } else {
        R modes[n];
        Basis::template to_modes<S>(r, modes);
        invert_mass<Basis, S>(q, modes, z);
      }
      Basis::template to_dofs<S>(z, change);
    }
    const auto material = word >> ElementWord::class_shift;
    const R keep = lane.lookup(decay, material);
    const R step = sign * lane.lookup(gain, material);
    TW_UNROLL_IF(Basis::style != ProductStyle::rolled)
    for (int first = 0; first < n; first += count) {
      if (first > 0) load(first);
      TW_UNROLL
      for (int k = 0; k < count; ++k) lane.store(target, n, first + k, keep * before[k] + step * change[first + k]);
    }
  }

  /// The same by a team of three threads an element, on GPUs: what they exchange, and how many they are.
  template <class Basis>
  requires(Basis::style == ProductStyle::sparse) TW_FN static constexpr int inputs() {
    return numbers_on_faces<Basis>();  // more than `dofs`
  }
  static constexpr int team_size = 3;

  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    const int place = team.rank();
    R w[m];
    if (place == 0)
      begin_component<Basis, 1>(lane, word, sign, team, w);
    else if (place == 1)
      begin_component<Basis, 2>(lane, word, sign, team, w);
    else
      begin_component<Basis, 3>(lane, word, sign, team, w);
    team.sync();
    if (place == 0)
      lift_shares<Basis, 1, S>(team, 0, w);
    else if (place == 1)
      lift_shares<Basis, 2, S>(team, 0, w);
    else
      lift_shares<Basis, 3, S>(team, 0, w);
    R before[m];
    TW_UNROLL
    for (int i = 0; i < m; ++i) before[i] = lane.load(kept, Basis::dofs, 3 * i + place);
    R by[12];
    {
      R q[6];
      metric.load(lane, q);
      weigh_place(q, place, by);
    }
    const auto material = word >> ElementWord::class_shift;
    const R keep = lane.lookup(decay, material);
    const R step = sign * lane.lookup(gain, material);
    team.sync();  // all have what they lift
    TW_UNROLL
    for (int i = 0; i < m; ++i) team.put(place * m + i, w[i]);
    team.sync();
    TW_UNROLL
    for (int i = 0; i < m; ++i)
      lane.store(target, Basis::dofs, 3 * i + place, keep * before[i] + step * change_at_place<Basis>(team, i, by, 0));
  }

 private:
  template <class Lane>
  TW_FN auto kind_of(const Lane& lane, int f) const {
    return (lane.load_integer(kinds, 2, f / 2) >> (16 * (f % 2))) & 0xffff;
  }

  /// factor (outer u+ - u) in trace function k of face f.
  template <class Basis, int f, class Lane>
  struct Jump {
    using R = typename Lane::Number;
    const Lane& lane;
    const S* u;
    std::int32_t neighbour;
    std::uint32_t face;
    R outer;
    R factor;
    TW_FN R operator()(int k) const {
      return factor * (outer * lane.gather(u, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face)) -
                       lane.load_again(u, Basis::dofs, Basis::template on_face<f>(k)));
    }
  };

  /// Contravariant component c of the curl, and its thread's share of what is lifted from faces.
  template <class Basis, int c, class Lane, class R, class Team>
  TW_FN void begin_component(const Lane& lane, std::uint32_t word, const R& sign, Team& team, R* w) const {
    {
      R v[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) v[i] = lane.load(source, Basis::dofs, i);
      Basis::template curl_component<c, S>(v, w);
    }
    R q[6];
    elements.metric.load(lane, q);
    share_face<Basis, 0, c - 1>(lane, word, q, sign, team);
    share_face<Basis, 1, c - 1>(lane, word, q, sign, team);
    share_face<Basis, 2, c - 1>(lane, word, q, sign, team);
    share_face<Basis, 3, c - 1>(lane, word, q, sign, team);
  }
  template <class Basis, int f, int rank, class Lane, class R, class Team>
  TW_FN void share_face(const Lane& lane, std::uint32_t word, const R* q, const R& sign, Team& team) const {
    constexpr int first = first_of_share<Basis>(f, rank, team_size);
    constexpr int end = first_of_share<Basis>(f, rank + 1, team_size);
    if constexpr (first < end) {
      const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
      const auto face = (word >> (3 * f)) & 7;
      const auto mirror = (word >> (ElementWord::mirror_shift + 2 * f)) & 3;
      const Jump<Basis, f, Lane> of_own{lane,
                                        old,
                                        neighbour,
                                        face,
                                        lane.mirror_factor(own_mirror_code, mirror),
                                        lane.lookup(penalty, kind_of(lane, f)) * sign};
      const Jump<Basis, f, Lane> of_other{lane,        source, neighbour, face, lane.mirror_factor(mirror_code, mirror),
                                          R{} + S(0.5)};
      R g[3];
      face_metric<f>(lane, q, g);
      constexpr int most = polynomials_at_once<Basis, S>();
      TW_UNROLL
      for (int from = first; from < end; from += most) {
        R own[2 * most];
        R other[2 * most];
        TW_UNROLL
        for (int k = 0; k < 2 * most; ++k) {
          if (from + k / 2 >= end) continue;
          own[k] = of_own(2 * from + k);
          other[k] = of_other(2 * from + k);
        }
        TW_UNROLL
        for (int i = 0; i < most; ++i)
          if (from + i < end) put_on_face<Basis, f, S>(team, 0, from + i, g, own + 2 * i, other + 2 * i);
      }
    }
  }

  /// Face f: half of the turned jump of the other field, and the penalised one of the field itself.
  template <class Basis, int f, class Lane, class Word, class R>
  TW_FN void add_flux(const Lane& lane, const Word& word, const Traces<Basis, Lane, S>& of_own,
                      const Traces<Basis, Lane, S>& of_other, const R* q, const R& sign, R* r) const {
    constexpr int m = Basis::face_modes;
    constexpr int nf = Basis::face_dofs;
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto mirror = (word >> (ElementWord::mirror_shift + 2 * f)) & 3;
    R to[2 * m];
    {
      R along[2 * m];
      components<Basis, f>(lane, neighbour, face, of_own, old, lane.mirror_factor(own_mirror_code, mirror),
                           lane.lookup(penalty, kind_of(lane, f)) * sign, along);
      R g[3];
      face_metric<f>(lane, q, g);
      stretch<m>(g, along, to);
    }
    {
      R turned[2 * m];
      components<Basis, f>(lane, neighbour, face, of_other, source, lane.mirror_factor(mirror_code, mirror),
                           R{} + S(0.5), turned);
      turn<m>(S(Basis::face_sign(f)), turned, turned);
      TW_UNROLL
      for (int i = 0; i < 2 * m; ++i) to[i] += turned[i];
    }
    if constexpr (Basis::style == ProductStyle::sparse) {
      lift_from_face<Basis, f>(S(3), to, r);
    } else {
      R dual[nf];
      Basis::template face_dual<S>(to, dual);
      TW_UNROLL
      for (int k = 0; k < nf; ++k) r[Basis::template on_face<f>(k)] += dual[k];
    }
  }

  /// Components of factor (outer u+ - u) on face f.
  template <class Basis, int f, class Lane, class Integer, class Word, class R>
  TW_FN void components(const Lane& lane, const Integer& neighbour, const Word& face,
                        const Traces<Basis, Lane, S>& traces, const S* u, const R& outer, const R& factor,
                        R* to) const {
    R jump[Basis::face_dofs];
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k)
      jump[k] = factor * (outer * traces.template beyond<f>(neighbour, face, k) -
                          lane.load(u, Basis::dofs, Basis::template on_face<f>(k)));
    Basis::template face_components<S>(jump, to);
  }
};

template <class Basis, class S>
struct TermsOf<Basis, PenalisedUpdate<S>> : InBernsteinForm<Basis> {};

}  // namespace tetrawave::kernels
