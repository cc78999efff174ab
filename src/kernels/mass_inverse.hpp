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

/// z = scale A^-1 w for a symmetric positive definite A of size n (packed lower triangle), by L D L^T in registers.
template <int n, class R>
TW_FN void solve_packed(R* a, const R& scale, const R* w, R* z) {
  R inverse[n];
  TW_UNROLL
  for (int j = 0; j < n; ++j) {
    TW_UNROLL
    for (int k = 0; k < j; ++k)
      a[j * (j + 1) / 2 + j] -= a[j * (j + 1) / 2 + k] * a[j * (j + 1) / 2 + k] * a[k * (k + 1) / 2 + k];
    inverse[j] = R{} + 1;
    inverse[j] /= a[j * (j + 1) / 2 + j];
    TW_UNROLL
    for (int i = j + 1; i < n; ++i) {
      TW_UNROLL
      for (int k = 0; k < j; ++k)
        a[i * (i + 1) / 2 + j] -= a[i * (i + 1) / 2 + k] * a[j * (j + 1) / 2 + k] * a[k * (k + 1) / 2 + k];
      a[i * (i + 1) / 2 + j] *= inverse[j];
    }
  }
  TW_UNROLL
  for (int i = 0; i < n; ++i) {
    z[i] = w[i];
    TW_UNROLL
    for (int k = 0; k < i; ++k) z[i] -= a[i * (i + 1) / 2 + k] * z[k];
  }
  TW_UNROLL
  for (int i = 0; i < n; ++i) z[i] *= scale * inverse[i];
  TW_UNROLL
  for (int i = n - 1; i >= 0; --i) {
    TW_UNROLL
    for (int k = i + 1; k < n; ++k) z[i] -= a[k * (k + 1) / 2 + i] * z[k];
  }
}

/// The top functions of a mixed space: top mass = Y(adj q) / (6 det q), so its inverse is 6 det q Y^-1. Y of size 3
/// (mixed-1) by its adjugate, larger ones by L D L^T.
template <class Basis, class S, class R>
TW_FN void invert_top(const R* q, const R* w, R* z) {
  R adj[6];
  const R det = adjugate(q, adj);
  R packed[Basis::top * (Basis::top + 1) / 2];  // lower triangle 00 10 11 20 21 22 ..
  Basis::template top_matrix<S>(adj, packed);
  if constexpr (Basis::top == 3) {
    const R y[6] = {packed[0], packed[1], packed[3], packed[2], packed[4], packed[5]};
    R inverse[6];
    const R scale = S(6) * det / adjugate(y, inverse);
    z[0] = scale * (inverse[0] * w[0] + inverse[1] * w[1] + inverse[2] * w[2]);
    z[1] = scale * (inverse[1] * w[0] + inverse[3] * w[1] + inverse[4] * w[2]);
    z[2] = scale * (inverse[2] * w[0] + inverse[4] * w[1] + inverse[5] * w[2]);
  } else {
    const R scale = S(6) * det;
    solve_packed<Basis::top>(packed, scale, w, z);
  }
}

/// z = Minv(q) w; w in the scaling of the kernel terms.
template <class Basis, class S, class R>
TW_FN void invert_mass(const R* q, const R* w, R* z) {
  invert_low<Basis>(q, w, z);
  if constexpr (Basis::top > 0) invert_top<Basis, S>(q, w + 3 * Basis::low_modes, z + 3 * Basis::low_modes);
}

}  // namespace tetrawave::kernels
