// Fluxes of the full spaces in Bernstein form (theory/bernstein): a field on a face, lifted to the element.
//
// A field in an element has Bernstein coefficients of contravariant components times det J: (c - 1) modes + alpha is
// row alpha of component c. On a face with vertices a < b < c a tangential field has 2 face_modes coefficients,
// components along x_b - x_a and then along x_c - x_a.
#pragma once

#include "base/target.hpp"
#include "kernel_terms.hpp"

namespace tetrawave::kernels {

/// w (3 x modes) = the curl of v (dofs).
template <class Basis, class S, class R>
TW_FN void find_curl(const R* v, R* w) {
  Basis::template curl_component<1, S>(v, w);
  Basis::template curl_component<2, S>(v, w + Basis::modes);
  Basis::template curl_component<3, S>(v, w + 2 * Basis::modes);
}

/// Adds to one component, and takes the same off another one.
template <class R, bool takes>
struct AddLifted {
  R* to;
  R* from;
  TW_FN void operator()(int i, const R& x) const {
    to[i] += x;
    if constexpr (takes) from[i] -= x;
  }
};

/// w += factor l with mean(N . l) over the element = mean(N . v) over face f for all N, v in contravariant components.
template <class Basis, int f, class S, class R>
TW_FN void lift_from_face(S factor, const R* v, R* w) {
  constexpr int first = f < 2 ? 1 : 0;  // less 1: x_b - x_a is t_b, but for face 0, where it is t_2 - t_1
  constexpr int second = f < 3 ? 2 : 1;
  Basis::template lift<f>(factor, v, AddLifted<R, f == 0>{w + first * Basis::modes, w});
  Basis::template lift<f>(factor, v + Basis::face_modes, AddLifted<R, f == 0>{w + second * Basis::modes, w});
}

/// w += what tests as 1/2 D_f jump, the jump in trace functions: 3/2 of the lifted n x jump.
template <class Basis, int f, class S, class R>
TW_FN void lift_half_turned(const R* jump, R* w) {
  constexpr int m = Basis::face_modes;
  R along[2 * m];
  Basis::template face_components<S>(jump, along);
  R turned[2 * m];
  TW_UNROLL
  for (int i = 0; i < m; ++i) {
    turned[i] = -along[m + i];
    turned[m + i] = along[i];
  }
  lift_from_face<Basis, f>(S(1.5) * S(Basis::face_sign(f)), turned, w);
}

// For three threads that share an element, one a component and then one a place: function 3 alpha + place.

/// What component c takes of a field v on face f: shares[0] v_1 + shares[1] v_2.
template <int f, int c>
struct FaceShares {
  static constexpr int table[4][3][2] = {
      {{-1, -1}, {1, 0}, {0, 1}}, {{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {0, 0}, {0, 1}}, {{1, 0}, {0, 1}, {0, 0}}};
  static constexpr int first = table[f][c - 1][0];
  static constexpr int second = table[f][c - 1][1];
  static constexpr bool any = first != 0 || second != 0;
};

/// Polynomial i of first T_1 + second T_2 = by[0] j_2i + by[1] j_2i+1, T the components of a trace j.
template <class Basis, class R>
TW_FN constexpr R first_weight(int i, R first, R second) {
  return Basis::lowest_on_face(i) == 0 ? first : -(first + second);
}
template <class Basis, class R>
TW_FN constexpr R second_weight(int i, R first, R second) {
  return Basis::lowest_on_face(i) < 2 ? second : first;
}

/// Polynomial i of what component c takes of n x jump on face f; jump(k): of trace function k.
template <class Basis, int f, int c, class S, class R, class Jump>
TW_FN R turned_number(int i, const Jump& jump) {
  using Shares = FaceShares<f, c>;
  constexpr int first = Basis::face_sign(f) * Shares::second;
  constexpr int second = -Basis::face_sign(f) * Shares::first;
  const int one = first_weight<Basis>(i, first, second);
  const int two = second_weight<Basis>(i, first, second);
  R number = R{};
  if (one != 0) number = S(one) * jump(2 * i);
  if (two != 0) number += S(two) * jump(2 * i + 1);
  return number;
}

/// w (modes) += factor times all of it, lifted.
template <class Basis, int f, int c, class S, class R, class Jump>
TW_FN void lift_turned_component(S factor, const Jump& jump, R* w) {
  if constexpr (FaceShares<f, c>::any) {
    R g[Basis::face_modes];
    TW_UNROLL
    for (int i = 0; i < Basis::face_modes; ++i) g[i] = turned_number<Basis, f, c, S, R>(i, jump);
    Basis::template lift<f>(factor, g, AddLifted<R, false>{w, nullptr});
  }
}

/// Rows of the metric for the functions at `place`: by[3 m + c] times contravariant component c, where m is the lowest
/// vertex with a power.
template <class R>
TW_FN void weigh_place(const R* q, int place, R* by) {
  constexpr int numbers[4][3] = {{0, 0, 0}, {0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  TW_UNROLL
  for (int m = 0; m < 4; ++m) {
    const int along = place < m ? place : place + 1;
    TW_UNROLL
    for (int c = 0; c < 3; ++c) {
      const R row = along == 1 ? q[numbers[1][c]] : along == 2 ? q[numbers[2][c]] : q[numbers[3][c]];
      const R other = m == 0 ? R{} : q[numbers[m][c]];
      by[3 * m + c] = (along == 0 ? R{} : row) - other;
    }
  }
}

/// Function `place` of polynomial i, from the weights and the three components get(c modes + i).
template <class Basis, class R, class Team>
TW_FN R change_at_place(const Team& team, int i, const R* by, int first) {
  const int m = Basis::lowest(i);
  return by[3 * m] * team.get(first + i) + by[3 * m + 1] * team.get(first + Basis::modes + i) +
         by[3 * m + 2] * team.get(first + 2 * Basis::modes + i);
}

}  // namespace tetrawave::kernels
