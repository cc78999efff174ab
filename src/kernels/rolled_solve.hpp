// Symmetric positive definite systems in loops, for sizes beyond the registers of a thread. Matrices of size n are
// packed lower triangles: row i starts at i (i + 1)/2.
#pragma once

#include "base/target.hpp"
#include "kernels/reciprocal.hpp"

namespace tetrawave::kernels {

/// In place A = L D L^T, row by row: L below the diagonal, 1/D on it.
template <int n, class R>
TW_FN void factor_rolled(R* a) {
  TW_UNROLL_BY(1)
  for (int j = 0; j < n; ++j) {
    R* row = a + j * (j + 1) / 2;
    TW_UNROLL_BY(1)
    for (int k = 0; k < j; ++k) {  // row j of L D
      const R* above = a + k * (k + 1) / 2;
      R sum = row[k];
      TW_UNROLL_BY(1)
      for (int m = 0; m < k; ++m) sum -= row[m] * above[m];
      row[k] = sum;
    }
    R pivot = row[j];
    TW_UNROLL_BY(1)
    for (int k = 0; k < j; ++k) {
      const R low = row[k] * a[k * (k + 3) / 2];
      pivot -= row[k] * low;
      row[k] = low;
    }
    row[j] = reciprocal(pivot);
  }
}

/// z = scale A^-1 w by the factors; z may be w.
template <int n, class R>
TW_FN void substitute_rolled(const R* a, const R& scale, const R* w, R* z) {
  TW_UNROLL_BY(1)
  for (int i = 0; i < n; ++i) {
    R sum = w[i];
    TW_UNROLL_BY(1)
    for (int k = 0; k < i; ++k) sum -= a[i * (i + 1) / 2 + k] * z[k];
    z[i] = sum;
  }
  TW_UNROLL_BY(1)
  for (int i = n - 1; i >= 0; --i) {
    R sum = scale * z[i] * a[i * (i + 3) / 2];
    TW_UNROLL_BY(1)
    for (int k = i + 1; k < n; ++k) sum -= a[k * (k + 1) / 2 + i] * z[k];
    z[i] = sum;
  }
}

/// In place A^-1 = L^-T D^-1 L^-1.
template <int n, class R>
TW_FN void invert_rolled(R* a) {
  factor_rolled<n>(a);
  TW_UNROLL_BY(1)
  for (int j = 0; j < n; ++j) {  // L^-1 in place of L
    TW_UNROLL_BY(1)
    for (int i = j + 1; i < n; ++i) {
      const R* row = a + i * (i + 1) / 2;
      R sum = -row[j];
      TW_UNROLL_BY(1)
      for (int k = j + 1; k < i; ++k) sum -= row[k] * a[k * (k + 1) / 2 + j];
      a[i * (i + 1) / 2 + j] = sum;
    }
  }
  TW_UNROLL_BY(1)
  for (int i = 0; i < n; ++i) {
    const R diagonal = a[i * (i + 3) / 2];
    TW_UNROLL_BY(1)
    for (int j = 0; j <= i; ++j) {
      R sum = i == j ? diagonal : diagonal * a[i * (i + 1) / 2 + j];
      TW_UNROLL_BY(1)
      for (int k = i + 1; k < n; ++k) {
        const R* row = a + k * (k + 1) / 2;
        sum += row[i] * row[k] * row[j];
      }
      a[i * (i + 1) / 2 + j] = sum;
    }
  }
}

}  // namespace tetrawave::kernels
