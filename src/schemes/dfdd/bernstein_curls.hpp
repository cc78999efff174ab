// The operators of DFDD-ELD in Bernstein form (theory/bernstein): the curl as its series takes it, its transpose, and
// the inverse of the mass.
#pragma once

#include "kernels/bernstein.hpp"
#include "schemes/dfdd/curl_series.hpp"

namespace tetrawave::kernels {

/// u = M^-1 of what tests as w, in contravariant Bernstein coefficients; w is overwritten.
template <class Basis, class S, class R>
TW_FN void to_change(const R* q, R* w, R* u) {
  multiply_vectors<Basis::modes>(q, w);
  Basis::template to_dofs<S>(w, u);
}

/// f = curl of v (dofs) as CurlSeries takes it.
template <class Basis, class S, class R>
TW_FN void find_low_curl(const R* v, R* f) {
  constexpr int m = Basis::curl_modes;
  R d[3 * m];
  Basis::template lower_curl<S>(v, d);
  turn_vector<S, m>(d);
  TW_UNROLL
  for (int i = 0; i < 3 * m; ++i) d[i] *= S(3);  // the degree
  Basis::template of_lower<S>(d, f);
  Basis::template of_lower<S>(d + m, f + m);
  Basis::template of_lower<S>(d + 2 * m, f + 2 * m);
}

/// Of component c: what the field that `b` is of takes off on face f.
template <class Basis, int f, int c, class S, class R>
TW_FN void take_off_face(const R* b, R* w) {
  using Shares = FaceShares<f, c>;
  if constexpr (Shares::any) {
    constexpr int sign = Basis::face_sign(f);
    R g[Basis::face_modes];
    Basis::template trace_of_lower<f, sign * Shares::second, -sign * Shares::first, S>(b, g);
    Basis::template lift<f>(S(-3), g, AddLifted<R, false>{w, nullptr});
  }
}
template <class Basis, int c, class S, class R>
TW_FN void find_transposed_component(const R* b, R* w) {
  Basis::template curl_of_lower<c, S>(b, w);
  take_off_face<Basis, 0, c, S>(b, w);
  take_off_face<Basis, 1, c, S>(b, w);
  take_off_face<Basis, 2, c, S>(b, w);
  take_off_face<Basis, 3, c, S>(b, w);
}

/// w = C^T h, h of CurlSeries, in contravariant Bernstein coefficients; h is overwritten.
template <class Basis, class S, class R>
TW_FN void find_transposed_curl(R* h, R* w) {
  constexpr int m = Basis::curl_modes;
  R b[3 * m];
  turn_back<S, m>(h);
  Basis::template to_lower<S>(h, b);
  Basis::template to_lower<S>(h + m, b + m);
  Basis::template to_lower<S>(h + 2 * m, b + 2 * m);
  find_transposed_component<Basis, 1, S>(b, w);
  find_transposed_component<Basis, 2, S>(b, w + Basis::modes);
  find_transposed_component<Basis, 3, S>(b, w + 2 * Basis::modes);
}

}  // namespace tetrawave::kernels
