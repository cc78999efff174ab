// z = Minv(q) w in orthogonal modes, recomputed from the six metric numbers of an element.
#pragma once

#include "base/target.hpp"
#include "kernels/adjugate.hpp"
#include "kernels/products.hpp"
#include "kernels/reciprocal.hpp"
#include "kernels/rolled_solve.hpp"

namespace tetrawave::kernels {

/// Systems up to this size are solved by straight-line code, larger ones in loops.
inline constexpr int largest_straight = 12;

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

/// In place A = L D L^T of a symmetric positive definite matrix of size n (packed lower triangle): L below the
/// diagonal, 1/D on it.
template <int n, class R>
TW_FN void factor_packed(R* a) {
  if constexpr (n > largest_straight) {
    factor_rolled<n>(a);
  } else {
    R pivot[n];
    TW_UNROLL
    for (int j = 0; j < n; ++j) {
      pivot[j] = a[j * (j + 1) / 2 + j];
      TW_UNROLL
      for (int k = 0; k < j; ++k) pivot[j] -= a[j * (j + 1) / 2 + k] * a[j * (j + 1) / 2 + k] * pivot[k];
      const R inverse = reciprocal(pivot[j]);
      a[j * (j + 1) / 2 + j] = inverse;
      TW_UNROLL
      for (int i = j + 1; i < n; ++i) {
        TW_UNROLL
        for (int k = 0; k < j; ++k)
          a[i * (i + 1) / 2 + j] -= a[i * (i + 1) / 2 + k] * a[j * (j + 1) / 2 + k] * pivot[k];
        a[i * (i + 1) / 2 + j] *= inverse;
      }
    }
  }
}

/// z = scale A^-1 w by the factors of `factor_packed`; z may be w.
template <int n, class R>
TW_FN void substitute_packed(const R* a, const R& scale, const R* w, R* z) {
  if constexpr (n > largest_straight) {
    substitute_rolled<n>(a, scale, w, z);
  } else {
    TW_UNROLL
    for (int i = 0; i < n; ++i) {
      z[i] = w[i];
      TW_UNROLL
      for (int k = 0; k < i; ++k) z[i] -= a[i * (i + 1) / 2 + k] * z[k];
    }
    TW_UNROLL
    for (int i = 0; i < n; ++i) z[i] *= scale * a[i * (i + 1) / 2 + i];
    TW_UNROLL
    for (int i = n - 1; i >= 0; --i) {
      TW_UNROLL
      for (int k = i + 1; k < n; ++k) z[i] -= a[k * (k + 1) / 2 + i] * z[k];
    }
  }
}

/// z = scale A^-1 w for a symmetric positive definite A of size n (packed lower triangle), by L D L^T in registers.
template <int n, class R>
TW_FN void solve_packed(R* a, const R& scale, const R* w, R* z) {
  factor_packed<n>(a);
  substitute_packed<n>(a, scale, w, z);
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
    const R scale = S(6) * det * reciprocal(adjugate(y, inverse));
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

/// In place the inverse of a symmetric positive definite matrix of size n (packed lower triangle), by L D L^T.
template <int n, class R>
TW_FN void invert_packed(R* a) {
  if constexpr (n == 3) {
    const R y[6] = {a[0], a[1], a[3], a[2], a[4], a[5]};
    R inverse[6];
    const R scale = reciprocal(adjugate(y, inverse));
    a[0] = scale * inverse[0];
    a[1] = scale * inverse[1];
    a[2] = scale * inverse[3];
    a[3] = scale * inverse[2];
    a[4] = scale * inverse[4];
    a[5] = scale * inverse[5];
  } else if constexpr (n > largest_straight) {
    invert_rolled<n>(a);
  } else {
    factor_packed<n>(a);
    TW_UNROLL
    for (int j = 0; j < n; ++j) {  // L^-1 in place of L
      TW_UNROLL
      for (int i = j + 1; i < n; ++i) {
        R sum = -a[i * (i + 1) / 2 + j];
        TW_UNROLL
        for (int k = j + 1; k < i; ++k) sum -= a[i * (i + 1) / 2 + k] * a[k * (k + 1) / 2 + j];
        a[i * (i + 1) / 2 + j] = sum;
      }
    }
    TW_UNROLL
    for (int i = 0; i < n; ++i) {  // L^-T D^-1 L^-1
      TW_UNROLL
      for (int j = 0; j <= i; ++j) {
        R sum = a[i * (i + 1) / 2 + i];
        if (i != j) sum *= a[i * (i + 1) / 2 + j];
        TW_UNROLL
        for (int k = i + 1; k < n; ++k) sum += a[k * (k + 1) / 2 + i] * a[k * (k + 1) / 2 + k] * a[k * (k + 1) / 2 + j];
        a[i * (i + 1) / 2 + j] = sum;
      }
    }
  }
}

/// M^-1 of one element for repeated application: the factors of the top are kept.
template <class Basis, class S, class Lane>
struct MassFactors {
  using R = typename Lane::Number;
  R q[6];
  R scale{};
  R top[Basis::top > 0 ? Basis::top*(Basis::top + 1) / 2 : 1];

  TW_FN explicit MassFactors(const R* metric) {
    TW_UNROLL
    for (int a = 0; a < 6; ++a) q[a] = metric[a];
    if constexpr (Basis::top > 0) {
      R adj[6];
      scale = S(6) * adjugate(q, adj);
      Basis::template top_matrix<S>(adj, top);
      factor_packed<Basis::top>(top);
    }
  }

  /// u = M^-1 r, w being r in the scaling of the kernel terms.
  template <class Scalar>
  TW_FN void apply(const R* w, R* u) const {
    R z[Basis::dofs];
    invert_low<Basis>(q, w, z);
    if constexpr (Basis::top > 0)
      substitute_packed<Basis::top>(top, scale, w + 3 * Basis::low_modes, z + 3 * Basis::low_modes);
    Basis::template to_dofs<Scalar>(z, u);
  }
};

/// The same with the inverse of the top, also for its products with the curl.
template <class Basis, class S, class Lane>
struct MassInverse {
  using R = typename Lane::Number;
  static constexpr int top_entries = Basis::top * (Basis::top + 1) / 2;
  R q[6];
  R top[top_entries > 0 ? top_entries : 1];  ///< inverse mass of the top functions, packed

  TW_FN explicit MassInverse(const R* metric) {
    TW_UNROLL
    for (int a = 0; a < 6; ++a) q[a] = metric[a];
    if constexpr (Basis::top > 0) {
      R adj[6];
      const R det = adjugate(q, adj);
      Basis::template top_matrix<S>(adj, top);
      invert_packed<Basis::top>(top);
      TW_UNROLL
      for (int i = 0; i < top_entries; ++i) top[i] *= S(6) * det;
    }
  }

  /// u = M^-1 r, w being r in the scaling of the kernel terms.
  template <class Scalar>
  TW_FN void apply(const R* w, R* u) const {
    R z[Basis::dofs];
    invert_low<Basis>(q, w, z);
    if constexpr (Basis::top > largest_straight) {
      multiply_top(w + 3 * Basis::low_modes, z + 3 * Basis::low_modes);
    } else {
      TW_UNROLL
      for (int i = 0; i < Basis::top; ++i) {
        R sum = R{};
        TW_UNROLL
        for (int j = 0; j < Basis::top; ++j) {
          const int entry = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
          sum += top[entry] * w[3 * Basis::low_modes + j];
        }
        z[3 * Basis::low_modes + i] = sum;
      }
    }
    Basis::template to_dofs<Scalar>(z, u);
  }

  /// k (packed lower triangle, 3 curl_modes) = C M^-1 C^T.
  TW_FN void add_gram(R* k) const {
    if constexpr (Basis::style == ProductStyle::rolled) {
      gram_by_columns(k);
    } else {
      Basis::template curl_gram<S>(q, k);
      if constexpr (Basis::top > 0) Basis::template add_top_gram<S>(top, k);
    }
  }

 private:
  /// z = X w for the top functions, X the inverse mass, in loops.
  TW_FN void multiply_top(const R* w, R* z) const {
    TW_UNROLL_BY(1)
    for (int i = 0; i < Basis::top; ++i) {
      const R* row = top + i * (i + 1) / 2;
      R sum = row[i] * w[i];
      TW_UNROLL_BY(1)
      for (int j = 0; j < i; ++j) {
        sum += row[j] * w[j];
        z[j] += row[j] * w[i];
      }
      z[i] = sum;
    }
  }

  /// Column by column: C M^-1 applied to the columns of C^T.
  TW_FN void gram_by_columns(R* k) const {
    constexpr int m = 3 * Basis::curl_modes;
    TW_UNROLL_BY(1)
    for (int column = 0; column < m; ++column) {
      R unit[m] = {};
      unit[column] += 1;
      R w[Basis::dofs];
      R u[Basis::dofs];
      Basis::template curl_transposed<S>(unit, w);
      apply<S>(w, u);
      Basis::template curl_components<S>(u, unit);
      TW_UNROLL_BY(1)
      for (int row = column; row < m; ++row) k[row * (row + 1) / 2 + column] = unit[row];
    }
  }
};

}  // namespace tetrawave::kernels
