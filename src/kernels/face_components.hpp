// A tangential field on a face in the face's own coordinates: components along x_b - x_a and x_c - x_a, a < b < c.
//   oint N . v = 1/2 mean( N_a v^a ),  v^a = sqrt(g) times contravariant components;  n x h -> sigma s (-h_2, h_1),
//   e -> sqrt(g) g^ab e_b, which is the same for q_ab in place of t_a . t_b.
#pragma once

#include "base/target.hpp"

namespace tetrawave::kernels {

/// sqrt(g) g^ab (11 12 22) of face f: g_11 = |x_b - x_a|^2, g_22 = |x_c - x_a|^2.
template <int f, class Lane, class R>
TW_FN void face_metric(const Lane& lane, const R* q, R* g) {
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

/// to = g v; `to` may be v.
template <int m, class R>
TW_FN void stretch(const R* g, const R* v, R* to) {
  TW_UNROLL
  for (int i = 0; i < m; ++i) {
    const R first = v[i];
    to[i] = g[0] * first + g[1] * v[m + i];
    to[m + i] = g[1] * first + g[2] * v[m + i];
  }
}

/// to = sigma (-v_2, v_1); `to` may be v.
template <int m, class S, class R>
TW_FN void turn(S sigma, const R* v, R* to) {
  TW_UNROLL
  for (int i = 0; i < m; ++i) {
    const R first = v[i];
    to[i] = -sigma * v[m + i];
    to[m + i] = sigma * first;
  }
}

}  // namespace tetrawave::kernels
