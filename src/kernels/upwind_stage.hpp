// One stage of DGTD-Upwind: curl, upwind flux, inverse mass and the registers of the low-storage Runge-Kutta method in
// one pass over the elements (dissertation eq. 4.42-4.46, THEORY.md 15).
//
//   M_e e' + B_e e =   C h + sum_f [ Z+/(Z + Z+) D_f (h+ - h) + 1/(Z + Z+) F_f (e+ - e) ]
//   M_h h' + B_h h = -(C e + sum_f [ Y+/(Y + Y+) D_f (e+ - e) ]) + sum_f 1/(Y + Y+) F_f (h+ - h)
//   w <- a w + dt u',  u_new = u + b w.
// Walls and sheets are other coefficients of the four traces (schemes/dgtd_upwind.hpp); behind a wall stands the
// element itself. On a face the traces are taken in its own coordinates, where D is a turn by 90 degrees and F the
// face's metric:
//   oint N . v = 1/2 mean( N_a v^a ),  v^a = sqrt(g) times contravariant components;  n x h -> sigma s (-h_2, h_1),
//   e -> sqrt(g) g^ab e_b, which is the same for q_ab in place of t_a . t_b.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// What the traces of a face are multiplied with, per kind of face: turned (+, own), straight (+, own) of E, then of H.
inline constexpr int face_coefficients = 8;

/// One field of an upwind stage.
template <class S>
struct UpwindField {
  const S* metric = nullptr;  ///< 6 rows: of this field's material
  const S* old_values = nullptr;
  S* new_values = nullptr;
  S* change = nullptr;      ///< the register w
  const S* gain = nullptr;  ///< per material class: dt/eps
  const S* loss = nullptr;  ///< per material class: dt sigma/eps
};

template <class S>
struct UpwindStage {
  using Scalar = S;
  Elements<S> elements;  ///< metric of the shape alone
  UpwindField<S> electric;
  UpwindField<S> magnetic;
  const std::int32_t* kinds = nullptr;  ///< 4 rows: kind of each face
  const S* coefficients = nullptr;      ///< face_coefficients per kind
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto word = lane.load_integer(elements.word, 1, 0);
    advance<Basis, 0>(lane, word, electric, magnetic);
    advance<Basis, 1>(lane, word, magnetic, electric);
  }

 private:
  /// `which`: 0 for E, 1 for H.
  template <class Basis, int which, class Lane, class Word>
  TW_FN void advance(const Lane& lane, const Word& word, const UpwindField<S>& field,
                     const UpwindField<S>& other) const {
    using R = typename Lane::Number;
    const R sign = lane.choose((word >> ElementWord::sign_shift) & 1, R{} - 1, R{} + 1);
    R z[Basis::dofs];
    {
      R r[Basis::dofs];
      {
        R own[Basis::dofs];
        TW_UNROLL
        for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(other.old_values, Basis::dofs, i);
        Basis::template curl_dual<S>(own, r);
      }
      const R straight = which == 0 ? sign : -sign;
      add_flux<Basis, which, 0>(lane, word, field.old_values, other.old_values, straight, r);
      add_flux<Basis, which, 1>(lane, word, field.old_values, other.old_values, straight, r);
      add_flux<Basis, which, 2>(lane, word, field.old_values, other.old_values, straight, r);
      add_flux<Basis, which, 3>(lane, word, field.old_values, other.old_values, straight, r);
      R w[Basis::dofs];
      Basis::template to_modes<S>(r, w);
      R q[6];
      TW_UNROLL
      for (int i = 0; i < 6; ++i) q[i] = lane.load(field.metric, 6, i);
      invert_mass<Basis, S>(q, w, z);
    }
    R rate[Basis::dofs];
    Basis::template to_dofs<S>(z, rate);
    const auto material = word >> ElementWord::class_shift;
    const R gain = lane.lookup(field.gain, material) * (which == 0 ? sign : -sign);
    const R loss = lane.lookup(field.loss, material);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.load(field.old_values, Basis::dofs, i);
      const R w = a * lane.load(field.change, Basis::dofs, i) + gain * rate[i] - loss * u;
      lane.store(field.change, Basis::dofs, i, w);
      lane.store(field.new_values, Basis::dofs, i, u + b * w);
    }
  }

  template <class Basis, int which, int f, class Lane, class Word, class R>
  TW_FN void add_flux(const Lane& lane, const Word& word, const S* u, const S* v, const R& straight, R* r) const {
    constexpr int m = Basis::face_modes;
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto kind = lane.load_integer(kinds, 4, f) * face_coefficients + 4 * which;
    R turned[2 * m];  // of the other field: D
    R along[2 * m];   // of this field: F
    {
      const R outer = lane.lookup(coefficients, kind);
      const R inner = lane.lookup(coefficients, kind + 1);
      trace<Basis, f>(lane, neighbour, face, v, outer, inner, turned);
    }
    {
      const R outer = lane.lookup(coefficients, kind + 2) * straight;
      const R inner = lane.lookup(coefficients, kind + 3) * straight;
      trace<Basis, f>(lane, neighbour, face, u, outer, inner, along);
    }
    R g[3];
    face_metric<f>(lane, g);
    TW_UNROLL
    for (int i = 0; i < m; ++i) {
      const R t1 = turned[i];
      const R t2 = turned[m + i];
      const R a1 = along[i];
      const R a2 = along[m + i];
      turned[i] = g[0] * a1 + g[1] * a2 - S(Basis::face_sign(f)) * t2;
      turned[m + i] = g[1] * a1 + g[2] * a2 + S(Basis::face_sign(f)) * t1;
    }
    R dual[Basis::face_dofs];
    Basis::template face_dual<S>(turned, dual);
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) r[Basis::template on_face<f>(k)] += dual[k];
  }

  /// c = components of outer u+ - inner u on face f.
  template <class Basis, int f, class Lane, class Integer, class Word, class R>
  TW_FN void trace(const Lane& lane, const Integer& neighbour, const Word& face, const S* u, const R& outer,
                   const R& inner, R* c) const {
    R jump[Basis::face_dofs];
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k)
      jump[k] = outer * lane.gather(u, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face)) -
                inner * lane.load(u, Basis::dofs, Basis::template on_face<f>(k));
    Basis::template face_components<S>(jump, c);
  }

  /// sqrt(g) g^ab (11 12 22) of face f with vertices a < b < c: g_11 = |x_b - x_a|^2, g_22 = |x_c - x_a|^2.
  template <int f, class Lane, class R>
  TW_FN void face_metric(const Lane& lane, R* g) const {
    R q[6];
    TW_UNROLL
    for (int i = 0; i < 6; ++i) q[i] = lane.load(elements.metric, 6, i);
    R g11, g12, g22;
    if constexpr (f == 0) {  // x_2 - x_1, x_3 - x_1
      g11 = q[3] - q[1] - q[1] + q[0];
      g12 = q[4] - q[1] - q[2] + q[0];
      g22 = q[5] - q[2] - q[2] + q[0];
    } else {  // t_b, t_c of the two vertices other than 0 and f
      constexpr int first[4] = {0, 3, 0, 0};
      constexpr int mixed[4] = {0, 4, 2, 1};
      constexpr int last[4] = {0, 5, 5, 3};
      g11 = q[first[f]];
      g12 = q[mixed[f]];
      g22 = q[last[f]];
    }
    const R scale = lane.inverse_root(g11 * g22 - g12 * g12);
    g[0] = scale * g22;
    g[1] = -scale * g12;
    g[2] = scale * g11;
  }
};

/// Waves on the driven faces of an upwind stage: w += s, u_new += b s with s = vector * wave at the stage's time.
template <class S>
struct UpwindWaves {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* wave = nullptr;     ///< 1 row
  const S* electric = nullptr;            ///< n rows: dt M_e^-1 of the incident moment
  const S* magnetic = nullptr;            ///< n rows
  S* electric_values = nullptr;
  S* magnetic_values = nullptr;
  S* electric_change = nullptr;
  S* magnetic_change = nullptr;
  const S* waves = nullptr;  ///< [wave][5 step + stage]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;
  int stage = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    const R w = lane.lookup_wave(waves, wave_length, lane.load_integer(wave, 1, 0), *step * 5 + stage);
    for (int i = 0; i < Basis::dofs; ++i) {
      add(lane, Basis::dofs, own, i, w * lane.load(electric, Basis::dofs, i), electric_change, electric_values);
      add(lane, Basis::dofs, own, i, w * lane.load(magnetic, Basis::dofs, i), magnetic_change, magnetic_values);
    }
  }

 private:
  template <class Lane, class Integer, class R>
  TW_FN void add(const Lane& lane, int dofs, const Integer& own, int i, const R& amount, S* change, S* values) const {
    lane.scatter(change, dofs, own, i, lane.gather(change, dofs, own, lane.all(i)) + amount);
    lane.scatter(values, dofs, own, i, lane.gather(values, dofs, own, lane.all(i)) + b * amount);
  }
};

}  // namespace tetrawave::kernels
