// z = Minv(q) w in orthogonal modes, recomputed from the six metric numbers of an element.
#pragma once

#include "base/target.hpp"

namespace tetrawave::kernels {

/// The six numbers of the adjugate of a symmetric 3x3 matrix (00 01 02 11 12 22); returns its determinant.
template <class R>
TW_FN R adjugate(const R* q, R* adj) {
  adj[0] = q[3] * q[5] - q[4] * q[4];
  adj[1] = q[2] * q[4] - q[1] * q[5];
  adj[2] = q[1] * q[4] - q[2] * q[3];
  adj[3] = q[0] * q[5] - q[2] * q[2];
  adj[4] = q[1] * q[2] - q[0] * q[4];
  adj[5] = q[0] * q[3] - q[1] * q[1];
  return q[0] * adj[0] + q[1] * adj[1] + q[2] * adj[2];
}

/// Low modes: M^-1 is q_ab for every polynomial (the factor 6/d_m is in the kernel terms).
template <class Basis, class R>
TW_FN void invert_low(const R* q, const R* w, R* z) {
  constexpr int m = Basis::low_modes;
    TW_UNROLL
  for (int k = 0; k < m; ++k) {
    z[k] = q[0] * w[k] + q[1] * w[m + k] + q[2] * w[2 * m + k];
    z[m + k] = q[1] * w[k] + q[3] * w[m + k] + q[4] * w[2 * m + k];
    z[2 * m + k] = q[2] * w[k] + q[4] * w[m + k] + q[5] * w[2 * m + k];
  }
}

/// The three top functions of mixed-1: top mass = Y(adj q) / (6 det q), its inverse 6 det q adj(Y) / det Y.
template <class Basis, class S, class R>
TW_FN void invert_top(const R* q, const R* w, R* z) {
  static_assert(Basis::top == 3);
  R adj[6];
  const R det = adjugate(q, adj);
  R packed[6];  // lower triangle 00 10 11 20 21 22
  Basis::template top_matrix<S>(adj, packed);
  const R y[6] = {packed[0], packed[1], packed[3], packed[2], packed[4], packed[5]};
  R inverse[6];
  const R scale = S(6) * det / adjugate(y, inverse);
  z[0] = scale * (inverse[0] * w[0] + inverse[1] * w[1] + inverse[2] * w[2]);
  z[1] = scale * (inverse[1] * w[0] + inverse[3] * w[1] + inverse[4] * w[2]);
  z[2] = scale * (inverse[2] * w[0] + inverse[4] * w[1] + inverse[5] * w[2]);
}

/// z = Minv(q) w; w in the scaling of the kernel terms.
template <class Basis, class S, class R>
TW_FN void invert_mass(const R* q, const R* w, R* z) {
  invert_low<Basis>(q, w, z);
  if constexpr (Basis::top > 0) invert_top<Basis, S>(q, w + 3 * Basis::low_modes, z + 3 * Basis::low_modes);
}

}  // namespace tetrawave::kernels
