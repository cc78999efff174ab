// Small dense systems of one element, without pivots.
#pragma once

#include "base/target.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// In place A = L D L^T (packed lower triangle): L below the diagonal, 1/D on it. Small ones stay in registers.
template <int n, class R>
TW_FN void factor_in_place(R* a) {
  if constexpr (n <= 12) return factor_packed<n>(a);
  for (int j = 0; j < n; ++j) {
    R* row = a + j * (j + 1) / 2;
    for (int i = 0; i < j; ++i) {  // row[i] = L_ji D_i so far
      R sum = row[i];
      const R* other = a + i * (i + 1) / 2;
      for (int m = 0; m < i; ++m) sum -= row[m] * other[m];
      row[i] = sum;
    }
    R pivot = row[j];
    for (int i = 0; i < j; ++i) {
      const R scaled = row[i] * a[i * (i + 1) / 2 + i];
      pivot -= row[i] * scaled;
      row[i] = scaled;
    }
    row[j] = reciprocal(pivot);
  }
}
/// In place x <- A^-1 x with what `factor` has left.
template <int n, class R>
TW_FN void substitute_in_place(const R* a, R* x) {
  TW_UNROLL_IF(n <= 12)
  for (int i = 0; i < n; ++i) {
    TW_UNROLL_IF(n <= 12)
    for (int m = 0; m < (n <= 12 ? n : i); ++m)
      if (m < i) x[i] -= a[i * (i + 1) / 2 + m] * x[m];
  }
  TW_UNROLL_IF(n <= 12)
  for (int i = 0; i < n; ++i) x[i] *= a[i * (i + 1) / 2 + i];
  TW_UNROLL_IF(n <= 12)
  for (int i = n - 1; i >= 0; --i) {
    TW_UNROLL_IF(n <= 12)
    for (int m = (n <= 12 ? 0 : i + 1); m < n; ++m)
      if (m > i) x[i] -= a[m * (m + 1) / 2 + i] * x[m];
  }
}

/// x = a^-1 b by elimination without pivots (a: n x n, both destroyed).
template <int n, class R>
TW_FN void solve_general(R* a, R* b, R* x) {
  for (int j = 0; j < n; ++j) {
    const R inverse = (R{} + 1) / a[j * n + j];
    for (int i = j + 1; i < n; ++i) {
      const R factor = a[i * n + j] * inverse;
      for (int m = j; m < n; ++m) a[i * n + m] -= factor * a[j * n + m];
      b[i] -= factor * b[j];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    R sum = b[i];
    for (int m = i + 1; m < n; ++m) sum -= a[i * n + m] * x[m];
    x[i] = sum / a[i * n + i];
  }
}

}  // namespace tetrawave::kernels
