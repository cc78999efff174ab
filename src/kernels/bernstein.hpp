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

/// The same in the form that the kernel terms have.
template <class Basis, int f, class S, class R>
TW_FN void add_half_turned(const R* jump, R* w) {
  if constexpr (Basis::style == ProductStyle::sparse)
    lift_half_turned<Basis, f, S>(jump, w);
  else if constexpr (f == 0)
    Basis::template flux0<S>(jump, w);
  else if constexpr (f == 1)
    Basis::template flux1<S>(jump, w);
  else if constexpr (f == 2)
    Basis::template flux2<S>(jump, w);
  else
    Basis::template flux3<S>(jump, w);
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

/// The first one of the polynomials of face f whose traces thread `rank` of `size` reads; the last one is before that
/// of the next thread.
template <class Basis>
TW_FN constexpr int first_of_share(int f, int rank, int size) {
  constexpr int m = Basis::face_modes;
  const int first = rank * 4 * m / size - f * m;
  return first < 0 ? 0 : first > m ? m : first;
}

/// Polynomials of a face whose traces a thread reads before it gives the first of them to the team: as registers allow.
template <class Basis, class S>
TW_FN constexpr int polynomials_at_once() {
  return Basis::modes * sizeof(S) > 200 ? 2 : 5;
}

/// Where the team has components 1 and 2 of polynomial i of what is lifted from face f.
template <class Basis>
TW_FN constexpr int place_on_face(int f, int component, int i) {
  return (2 * f + component - 1) * Basis::face_modes + i;
}
/// As many numbers.
template <class Basis>
TW_FN constexpr int numbers_on_faces() {
  return 8 * Basis::face_modes;
}

/// The team gets polynomial i of g a + sigma (-b_2, b_1) on face f, of traces with the coefficients a[2] and b[2].
template <class Basis, int f, class S, class R, class Team>
TW_FN void put_on_face(Team& team, int first, int i, const R* g, const R* a, const R* b) {
  const int from = Basis::lowest_on_face(i);
  const R along_1 = from == 0 ? a[0] : from == 1 ? R{} - a[0] : a[1] - a[0];
  const R along_2 = from == 0 ? a[1] : from == 1 ? a[1] - a[0] : R{} - a[0];
  const R turned_1 = from == 0 ? b[0] : from == 1 ? R{} - b[0] : b[1] - b[0];
  const R turned_2 = from == 0 ? b[1] : from == 1 ? b[1] - b[0] : R{} - b[0];
  constexpr auto sigma = S(Basis::face_sign(f));
  team.put(first + place_on_face<Basis>(f, 1, i), g[0] * along_1 + g[1] * along_2 - sigma * turned_2);
  team.put(first + place_on_face<Basis>(f, 2, i), g[1] * along_1 + g[2] * along_2 + sigma * turned_1);
}

/// Of face f alone.
template <class Basis, int f, int c, class S, class R, class Team>
TW_FN void lift_share(const Team& team, int first, R* w) {
  using Shares = FaceShares<f, c>;
  if constexpr (Shares::any) {
    R g[Basis::face_modes];
    TW_UNROLL
    for (int i = 0; i < Basis::face_modes; ++i) {
      if constexpr (Shares::first != 0) g[i] = S(Shares::first) * team.get(first + place_on_face<Basis>(f, 1, i));
      if constexpr (Shares::first == 0) g[i] = S(Shares::second) * team.get(first + place_on_face<Basis>(f, 2, i));
      if constexpr (Shares::first != 0 && Shares::second != 0)
        g[i] += S(Shares::second) * team.get(first + place_on_face<Basis>(f, 2, i));
    }
    Basis::template lift<f>(S(3), g, AddLifted<R, false>{w, nullptr});
  }
}
/// w (modes) += 3 times what component c takes of the fields on all faces that the team has from `first` on, lifted.
template <class Basis, int c, class S, class R, class Team>
TW_FN void lift_shares(const Team& team, int first, R* w) {
  lift_share<Basis, 0, c, S>(team, first, w);
  lift_share<Basis, 1, c, S>(team, first, w);
  lift_share<Basis, 2, c, S>(team, first, w);
  lift_share<Basis, 3, c, S>(team, first, w);
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
