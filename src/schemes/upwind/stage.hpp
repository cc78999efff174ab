// One stage of DGTD-Upwind: curl, upwind flux, inverse mass and the registers of the low-storage Runge-Kutta method in
// one pass over the elements (dissertation eq. 4.42-4.46, theory/upwind).
//
//   M_e e' + B_e e =   C h + sum_f [ Z+/(Z + Z+) D_f (h+ - h) + 1/(Z + Z+) F_f (e+ - e) ]
//   M_h h' + B_h h = -(C e + sum_f [ Y+/(Y + Y+) D_f (e+ - e) ]) + sum_f 1/(Y + Y+) F_f (h+ - h)
//   w <- a w + dt u',  u_new = u + b w.
// The register w is not stored: it is (u - u_before)/b_before, so that with u_before, which u_new replaces,
//   u_new = u + back (u - u_before) + b dt u',  back = a b/b_before  (decision 111).
// Walls and sheets are other coefficients of the four traces (schemes/upwind/coefficients.hpp); at a wall the element
// is its own neighbour. On a face the traces are expressed in its own coordinates (kernels/face_components.hpp), where
// D is a rotation by 90 degrees and F the face's metric.
#pragma once

#include <type_traits>

#include "kernel_terms.hpp"
#include "kernels/bernstein.hpp"
#include "kernels/element_block.hpp"
#include "kernels/face_components.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"
#include "kernels/traces.hpp"

namespace tetrawave::kernels {

/// Factors of the traces of a face, per kind of face: rotated (+, own), straight (+, own) of E, then of H.
inline constexpr int face_coefficients = 8;

/// One field of an upwind stage.
template <class S>
struct UpwindField {
  Metric<S> metric;  ///< of this field's material
  const S* old_values = nullptr;
  S* new_values = nullptr;  ///< before: those of the stage before
  const S* gain = nullptr;  ///< per material class: dt/eps
  const S* loss = nullptr;  ///< per material class: dt sigma/eps
};

/// Whether the sums of H of a stage are not in registers on GPUs: those of full-2, with one element per thread, would
/// spill.
template <class Basis, class S>
constexpr bool keeps_sums() {
  return std::is_same_v<S, double> && Basis::curl_modes > 1 && Basis::top == 0 &&
         Basis::style == ProductStyle::straight;
}

/// The residual of a field's equation, n sums; `kept`: stored by the kernel.
template <class Lane, int n, bool kept>
struct Sums {
  using R = typename Lane::Number;
  R numbers[n];
  TW_FN explicit Sums(const Lane& /*lane*/) {}
  TW_FN void put(int i, const R& x) { numbers[i] = x; }
  TW_FN R get(int i) const { return numbers[i]; }
};
template <class Lane, int n>
struct Sums<Lane, n, true> : Lane::template Kept<n> {
  TW_FN explicit Sums(const Lane& lane) : Lane::template Kept<n>(lane.template keep<n>()) {}
};

template <class S>
struct UpwindStage {
  using Scalar = S;
  Elements<S> elements;  ///< metric of the shape alone
  UpwindField<S> electric;
  UpwindField<S> magnetic;
  const std::int32_t* kinds = nullptr;  ///< 4 rows: kind of each face
  const S* coefficients = nullptr;      ///< face_coefficients per kind
  S back = 0;
  S b = 1;
  bool adds = false;  ///< new_values += b dt u'

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    elements.fetch(lane);
    lane.fetch(kinds, 4);
    const Traces<Basis, Lane, S> of_e(lane, elements, electric.old_values, electric.new_values);
    const Traces<Basis, Lane, S> of_h(lane, elements, magnetic.old_values, magnetic.new_values);
    const auto word = lane.load_integer(elements.word, 1, 0);
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    Sums<Lane, Basis::dofs, false> e(lane);  // s times what tests the equation of E, and of H with the other sign
    Sums<Lane, Basis::dofs, keeps_sums<Basis, S>()> h(lane);
    begin<Basis>(lane, magnetic.old_values, e);
    begin<Basis>(lane, electric.old_values, h);
    R q[6];
    elements.metric.load(lane, q);
    add_flux<Basis, 0>(lane, word, of_e, of_h, q, sign, e, h);
    add_flux<Basis, 1>(lane, word, of_e, of_h, q, sign, e, h);
    add_flux<Basis, 2>(lane, word, of_e, of_h, q, sign, e, h);
    add_flux<Basis, 3>(lane, word, of_e, of_h, q, sign, e, h);
    const auto material = word >> ElementWord::class_shift;
    finish<Basis>(lane, electric, material, sign, e);
    finish<Basis>(lane, magnetic, material, -sign, h);
  }

  /// The same by a team of six threads an element, three a field, on GPUs: what they exchange, and how many they are.
  template <class Basis>
  requires(Basis::style == ProductStyle::sparse) TW_FN static constexpr int inputs() {
    return 2 * numbers_on_faces<Basis>();  // more than 2 `dofs`
  }
  static constexpr int team_size = 6;

  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const bool is_electric = team.rank() < 3;
    const int place = is_electric ? team.rank() : team.rank() - 3;
    const R positive = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    const UpwindField<S>& field = is_electric ? electric : magnetic;
    R sum[m];
    {
      const S* other = is_electric ? magnetic.old_values : electric.old_values;
      R v[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) v[i] = lane.load(other, Basis::dofs, i);
      if (place == 0)
        Basis::template curl_component<1, S>(v, sum);
      else if (place == 1)
        Basis::template curl_component<2, S>(v, sum);
      else
        Basis::template curl_component<3, S>(v, sum);
    }
    share_faces<Basis, 0>(lane, word, positive, team);
    team.sync();
    const int traces = is_electric ? 0 : numbers_on_faces<Basis>();
    if (place == 0)
      lift_shares<Basis, 1, S>(team, traces, sum);
    else if (place == 1)
      lift_shares<Basis, 2, S>(team, traces, sum);
    else
      lift_shares<Basis, 3, S>(team, traces, sum);
    constexpr int count = Basis::modes * sizeof(S) > 200 ? 12 : m;  // what is changed at once, as registers allow
    R before[count];
    R u[count];
    const auto load = [&](int first) {
      TW_UNROLL
      for (int i = 0; i < count; ++i) {
        if (first + i >= m) continue;
        before[i] = lane.load_once(field.new_values, Basis::dofs, 3 * (first + i) + place);
        u[i] = lane.load(field.old_values, Basis::dofs, 3 * (first + i) + place);
      }
    };
    load(0);
    R by[12];
    {
      R q[6];
      field.metric.load(lane, q);
      weigh_place(q, place, by);
    }
    const auto material = word >> ElementWord::class_shift;
    const R gain = lane.lookup(field.gain, material) * positive * S(is_electric ? 1 : -1);
    const R loss = lane.lookup(field.loss, material);
    team.sync();  // all have what they lift
    TW_UNROLL
    for (int i = 0; i < m; ++i) team.put(team.rank() * m + i, sum[i]);
    team.sync();
    TW_UNROLL
    for (int first = 0; first < m; first += count) {
      if (first > 0) load(first);
      TW_UNROLL
      for (int i = 0; i < count; ++i) {
        if (first + i >= m) continue;
        const int row = 3 * (first + i) + place;
        const R rate = change_at_place<Basis>(team, first + i, by, is_electric ? 0 : Basis::dofs);
        lane.store_once(field.new_values, Basis::dofs, row, advanced(before[i], u[i], gain * rate - loss * u[i]));
      }
    }
  }

  /// New value from that of the stage before, the present one, and dt times its rate.
  template <class R>
  TW_FN R advanced(const R& before, const R& u, const R& rate) const {
    return (adds ? before : u) + back * (u - before) + b * rate;
  }

 private:
  template <class Sums, class R>
  TW_FN static void add(Sums& sums, int i, const R& x) {
    sums.put(i, sums.get(i) + x);
  }

  /// The share of thread `rank` of what is lifted from faces, in the equations of both fields.
  template <class Basis, int rank, class Lane, class R, class Team>
  TW_FN void share_faces(const Lane& lane, std::uint32_t word, const R& sign, Team& team) const {
    if (team.rank() == rank) {
      R q[6];
      elements.metric.load(lane, q);
      share_face<Basis, 0, rank>(lane, word, q, sign, team);
      share_face<Basis, 1, rank>(lane, word, q, sign, team);
      share_face<Basis, 2, rank>(lane, word, q, sign, team);
      share_face<Basis, 3, rank>(lane, word, q, sign, team);
    } else if constexpr (rank + 1 < team_size) {
      share_faces<Basis, rank + 1>(lane, word, sign, team);
    }
  }
  template <class Basis, int f, int rank, class Lane, class R, class Team>
  TW_FN void share_face(const Lane& lane, std::uint32_t word, const R* q, const R& sign, Team& team) const {
    constexpr int first = first_of_share<Basis>(f, rank, team_size);
    constexpr int end = first_of_share<Basis>(f, rank + 1, team_size);
    if constexpr (first < end) {
      const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
      const auto face = (word >> (3 * f)) & 7;
      const auto kind = lane.load_integer(kinds, 4, f) * face_coefficients;
      R c[face_coefficients];
      TW_UNROLL
      for (int k = 0; k < face_coefficients; ++k) c[k] = lane.lookup(coefficients, kind + k);
      R g[3];
      face_metric<f>(lane, q, g);
      TW_UNROLL
      for (int k = 0; k < 3; ++k) g[k] *= sign;
      constexpr int most = polynomials_at_once<Basis, S>();
      TW_UNROLL
      for (int from = first; from < end; from += most) {
        R e[4 * most];  // per trace function, beyond the face and here
        R h[4 * most];
        TW_UNROLL
        for (int k = 0; k < 2 * most; ++k) {
          if (from + k / 2 >= end) continue;
          read_trace<Basis, f>(lane, neighbour, face, electric.old_values, 2 * from + k, e + 2 * k);
          read_trace<Basis, f>(lane, neighbour, face, magnetic.old_values, 2 * from + k, h + 2 * k);
        }
        TW_UNROLL
        for (int i = 0; i < most; ++i) {
          if (from + i >= end) continue;
          R along[2];
          R turned[2];
          weigh_trace(c + 2, e + 4 * i, along);
          weigh_trace(c, h + 4 * i, turned);
          put_on_face<Basis, f, S>(team, 0, from + i, g, along, turned);
          weigh_trace(c + 6, h + 4 * i, along);
          weigh_trace(c + 4, e + 4 * i, turned);
          const R back[2] = {R{} - along[0], R{} - along[1]};
          put_on_face<Basis, f, S>(team, numbers_on_faces<Basis>(), from + i, g, back, turned);
        }
      }
    }
  }
  /// Trace function k of u beyond face f, and here.
  template <class Basis, int f, class Lane, class R>
  TW_FN static void read_trace(const Lane& lane, std::int32_t neighbour, std::uint32_t face, const S* u, int k, R* to) {
    to[0] = lane.gather(u, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face));
    to[1] = lane.load_again(u, Basis::dofs, Basis::template on_face<f>(k));
  }
  /// Both functions of a polynomial: c_0 u+ - c_1 u.
  template <class R>
  TW_FN static void weigh_trace(const R* c, const R* u, R* to) {
    to[0] = c[0] * u[0] - c[1] * u[1];
    to[1] = c[0] * u[2] - c[1] * u[3];
  }

  /// sums <- curl of a field.
  template <class Basis, class Lane, class Sums>
  TW_FN void begin(const Lane& lane, const S* values, Sums& sums) const {
    using R = typename Lane::Number;
    R own[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(values, Basis::dofs, i);
    R curl[Basis::dofs];
    if constexpr (Basis::style == ProductStyle::sparse)
      find_curl<Basis, S>(own, curl);
    else
      Basis::template curl_dual<S>(own, curl);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) sums.put(i, curl[i]);
  }

  /// The new values of a field.
  template <class Basis, class Lane, class Word, class R, class Sums>
  TW_FN void finish(const Lane& lane, const UpwindField<S>& field, const Word& material, const R& sign,
                    const Sums& sums) const {
    constexpr int n = Basis::dofs;
    constexpr bool once = Basis::curl_modes > 1;                    // by measurement (decision 039)
    constexpr int count = n % 20 == 0 ? 20 : n % 15 == 0 ? 15 : n;  // loads of so many go out before the first store
    R before[count];
    R u[count];
    const auto load = [&](int first) {
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        before[k] = once ? lane.load_once(field.new_values, n, first + k) : lane.load(field.new_values, n, first + k);
        u[k] = lane.load(field.old_values, n, first + k);
      }
    };
    constexpr bool early = count == n && !keeps_sums<Basis, S>();
    if constexpr (early) load(0);  // they arrive meanwhile
    R z[n];
    {
      R modes[n];
      {
        R r[n];
        TW_UNROLL
        for (int i = 0; i < n; ++i) r[i] = sums.get(i);
        if constexpr (Basis::style == ProductStyle::sparse) {
          TW_UNROLL
          for (int i = 0; i < n; ++i) modes[i] = r[i];
        } else {
          Basis::template to_modes<S>(r, modes);
        }
      }
      R q[6];
      field.metric.load(lane, q);
      invert_mass<Basis, S>(q, modes, z);
    }
    R rate[n];
    Basis::template to_dofs<S>(z, rate);
    const R gain = lane.lookup(field.gain, material) * sign;
    const R loss = lane.lookup(field.loss, material);
    TW_UNROLL_IF(Basis::style != ProductStyle::rolled)
    for (int first = 0; first < n; first += count) {
      if constexpr (!early) load(first);
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        const R value = advanced(before[k], u[k], gain * rate[first + k] - loss * u[k]);
        if constexpr (once)
          lane.store_once(field.new_values, n, first + k, value);
        else
          lane.store(field.new_values, n, first + k, value);
      }
    }
  }

  /// Face f: both traces of both fields are read once, and used in the equations of both.
  template <class Basis, int f, class Lane, class Word, class R, class SumsE, class SumsH>
  TW_FN void add_flux(const Lane& lane, const Word& word, const Traces<Basis, Lane, S>& of_e,
                      const Traces<Basis, Lane, S>& of_h, const R* q, const R& sign, SumsE& e, SumsH& h) const {
    constexpr int m = Basis::face_modes;
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto kind = lane.load_integer(kinds, 4, f) * face_coefficients;
    R g[3];
    face_metric<f>(lane, q, g);
    R to_e[2 * m];
    R to_h[2 * m];
    {
      R turned[2 * m];
      R along[2 * m];
      traces<Basis, f>(lane, neighbour, face, of_h, magnetic.old_values, kind, kind + 6, -sign, turned, along);
      turn<m>(S(Basis::face_sign(f)), turned, to_e);
      stretch<m>(g, along, to_h);
      traces<Basis, f>(lane, neighbour, face, of_e, electric.old_values, kind + 4, kind + 2, sign, turned, along);
      turn<m>(S(Basis::face_sign(f)), turned, turned);
      stretch<m>(g, along, along);
      TW_UNROLL
      for (int i = 0; i < 2 * m; ++i) to_h[i] += turned[i];
      TW_UNROLL
      for (int i = 0; i < 2 * m; ++i) to_e[i] += along[i];
    }
    if constexpr (Basis::style == ProductStyle::sparse) {
      lift_from_face<Basis, f>(S(3), to_e, e.numbers);
      lift_from_face<Basis, f>(S(3), to_h, h.numbers);
      return;
    }
    R dual[Basis::face_dofs];
    Basis::template face_dual<S>(to_e, dual);
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) add(e, Basis::template on_face<f>(k), dual[k]);
    Basis::template face_dual<S>(to_h, dual);
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) add(h, Basis::template on_face<f>(k), dual[k]);
  }

  /// Components of (outer, inner) . (u+, -u) on face f, with the coefficients for `turn` and `stretch`.
  template <class Basis, int f, class Lane, class Integer, class Word, class R>
  TW_FN void traces(const Lane& lane, const Integer& neighbour, const Word& face, const Traces<Basis, Lane, S>& beyond,
                    const S* u, const Integer& turned_at, const Integer& along_at, const R& sign, R* turned,
                    R* along) const {
    constexpr int nf = Basis::face_dofs;
    R outer[nf];
    R inner[nf];
    TW_UNROLL
    for (int k = 0; k < nf; ++k) {
      outer[k] = beyond.template beyond<f>(neighbour, face, k);
      inner[k] = lane.load(u, Basis::dofs, Basis::template on_face<f>(k));
    }
    R jump[nf];
    {
      const R c_outer = lane.lookup(coefficients, turned_at);
      const R c_inner = lane.lookup(coefficients, turned_at + 1);
      TW_UNROLL
      for (int k = 0; k < nf; ++k) jump[k] = c_outer * outer[k] - c_inner * inner[k];
      Basis::template face_components<S>(jump, turned);
    }
    {
      const R c_outer = lane.lookup(coefficients, along_at) * sign;
      const R c_inner = lane.lookup(coefficients, along_at + 1) * sign;
      TW_UNROLL
      for (int k = 0; k < nf; ++k) jump[k] = c_outer * outer[k] - c_inner * inner[k];
      Basis::template face_components<S>(jump, along);
    }
  }
};

template <class Basis, class S>
struct TermsOf<Basis, UpwindStage<S>> : InBernsteinForm<Basis> {};

/// Waves on the driven faces of an upwind stage: u += b s with s = vector * wave at the stage's time.
template <class S>
struct UpwindWaves {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* wave = nullptr;     ///< 1 row
  const S* electric = nullptr;            ///< n rows: dt M_e^-1 of the incident moment
  const S* magnetic = nullptr;            ///< n rows
  S* electric_values = nullptr;
  S* magnetic_values = nullptr;
  const S* waves = nullptr;  ///< [wave][stages step + stage]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;
  std::int64_t stages = 5;
  std::int64_t stage = 0;
  S b = 1;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    const R w = b * lane.lookup_wave(waves, wave_length, lane.load_integer(wave, 1, 0), *step * stages + stage);
    for (int i = 0; i < Basis::dofs; ++i) {
      add(lane, Basis::dofs, own, i, w * lane.load(electric, Basis::dofs, i), electric_values);
      add(lane, Basis::dofs, own, i, w * lane.load(magnetic, Basis::dofs, i), magnetic_values);
    }
  }

 private:
  template <class Lane, class Integer, class R>
  TW_FN void add(const Lane& lane, int dofs, const Integer& own, int i, const R& amount, S* values) const {
    lane.scatter(values, dofs, own, i, lane.gather(values, dofs, own, lane.all(i)) + amount);
  }
};

}  // namespace tetrawave::kernels
