// The implicit part of an element in DFDD-ELD, A = a M + dt^2/(4 b) S0 (schemes/dfdd/update.hpp): the matrix K of the
// curl and its solution, and the inverse of A by modes.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/curl_solution.hpp"
#include "kernels/mass_inverse.hpp"
#include "schemes/dfdd/curl_series.hpp"
#include "schemes/dfdd/held_inverse.hpp"

namespace tetrawave::kernels {

/// Numbers that are stored of an element, for the solution.
template <class Basis, class S>
constexpr int held_rows() {
  if constexpr (holds_inverse<Basis>())
    return HeldInverse<Basis, S>::rows;
  else
    return sums_series<Basis>() ? 1 : 0;
}

template <class S>
int held_rows(Space space) {
  int rows = 0;
  with_basis<3>(space, [&rows]<class Basis>() { rows = held_rows<Basis, S>(); });
  return rows;
}

/// k (packed lower triangle, 3 curl_modes) = stiffness Q^-1 + C M^-1 C^T, Q^-1 = q^-1 (x) 6/d, p the six numbers of q.
template <class Basis, class S, class Lane, class R>
TW_FN void make_curl_matrix(const MassInverse<Basis, S, Lane>& mass, const R* p, const R& stiffness, R* k) {
  constexpr int modes = Basis::curl_modes;
  mass.add_gram(k);
  R adj[6];
  const R det = adjugate(p, adj);
  const R scale = S(6) * stiffness * reciprocal(det);
  TW_UNROLL
  for (int a = 0; a < 3; ++a) {
    TW_UNROLL
    for (int b = 0; b <= a; ++b) {
      const int pair = b == 0 ? a : (b == 1 ? 2 + a : 5);
      TW_UNROLL
      for (int j = 0; j < modes; ++j) {
        const int row = a * modes + j;
        k[row * (row + 1) / 2 + b * modes + j] += scale * adj[pair] * S(1 / Basis::mode_square(j));
      }
    }
  }
}

/// (M + S0/stiffness)^-1 of an element of mixed-2, in modes. The low ones have only constant curls: with s the constant
/// part of the curl of all modes, which gives a force g = Q s/stiffness, they are q (w - (6/d) curl^T g), so that
///   k g = curl q w + curl z_top,  k = stiffness Q^-1 + curl q (6/d) curl^T  of size 3,
/// and for the top ones a separate system remains:
///   ( M_top + curl^T k^-1 curl [constant part] + curl^T Q curl/stiffness [the rest] ) z = w - curl^T k^-1 curl q w.
template <class Basis, class S, class Lane>
struct ImplicitInverse {
  using R = typename Lane::Number;
  R q[6];
  R h[6];                                         ///< k^-1
  R top[Basis::top * (Basis::top + 1) / 2] = {};  ///< factors of the system of the top

  TW_FN ImplicitInverse(const R* metric, const R* p, const R& stiffness) {
    TW_UNROLL
    for (int a = 0; a < 6; ++a) q[a] = metric[a];
    R k[6];
    {
      const R scale = S(6 / Basis::mode_square(0)) * stiffness * reciprocal(adjugate(p, h));
      Basis::template low_gram<S>(q, k);
      TW_UNROLL
      for (int a = 0; a < 6; ++a) k[a] += scale * h[a];
    }
    R g[12];
    const R inverse = reciprocal(adjugate(k, h));
    const R rest = reciprocal(stiffness);
    TW_UNROLL
    for (int a = 0; a < 6; ++a) {
      h[a] *= inverse;
      g[a] = h[a];
      g[6 + a] = rest * p[a];
    }
    R adj[6];
    const R scale = reciprocal(S(6) * adjugate(q, adj));
    TW_UNROLL
    for (int a = 0; a < 6; ++a) adj[a] *= scale;
    Basis::template top_matrix<S>(adj, top);
    Basis::template add_top_stiffness<S>(g, top);
    factor_packed<Basis::top>(top);
  }

  /// u = (M + S0/stiffness)^-1 r, w being r in the scaling of the kernel terms; w is overwritten.
  TW_FN void apply(R* w, R* u) const {
    constexpr int low = 3 * Basis::low_modes;
    R z[Basis::dofs];
    invert_low<Basis>(q, w, z);
    R g[3];
    Basis::template curl_of_low<S>(z, g);
    multiply_symmetric(h, g);
    {
      R back[Basis::top];
      Basis::template curl_of_top_dual<S>(g, back);
      TW_UNROLL
      for (int i = 0; i < Basis::top; ++i) w[low + i] -= back[i];
    }
    substitute_packed<Basis::top>(top, R{} + 1, w + low, z + low);
    R more[3];
    Basis::template curl_of_top<S>(z + low, more);
    multiply_symmetric(h, more);
    TW_UNROLL
    for (int a = 0; a < 3; ++a) g[a] += more[a];
    R back[low];
    Basis::template curl_of_low_dual<S>(g, back);
    TW_UNROLL
    for (int i = 0; i < low; ++i) w[i] -= back[i];
    invert_low<Basis>(q, w, z);
    Basis::template to_dofs<S>(z, u);
  }
};

/// The same number, hidden from the compiler, so that values derived from it are recomputed instead of kept in
/// registers.
template <class R>
TW_FN void forget_source([[maybe_unused]] R& x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(R) == sizeof(double))
    asm("" : "+d"(x));
  else
    asm("" : "+f"(x));
#endif
}

/// The constant and the linear parts of K (make_curl_matrix) of full-2, each computed where it is needed.
template <class Basis, class S, class Lane>
struct CurlSystem {
  using R = typename Lane::Number;
  static constexpr int modes = Basis::curl_modes;
  static constexpr int rest = 3 * modes - 3;
  static constexpr int entries = 3 * modes * (3 * modes + 1) / 2;
  R q[6];
  R a[6];  ///< stiffness Q^-1 = a (x) 1/mode_square

  TW_FN CurlSystem(const R* metric, const R* p, const R& stiffness) {
    const R scale = S(6) * stiffness * reciprocal(adjugate(p, a));
    TW_UNROLL
    for (int i = 0; i < 6; ++i) {
      q[i] = metric[i];
      a[i] *= scale;
    }
  }

  /// l <- K^-1 l
  TW_FN void solve(R* l) {
    R g[3] = {l[0], l[modes], l[2 * modes]};
    R y[rest];
    R h[6];
    {
      R k[3 * rest];
      R s[rest * (rest + 1) / 2];
      couple(k);
      make_constant(h);
      multiply_symmetric(h, g);
      TW_UNROLL
      for (int i = 0; i < rest; ++i) {
        y[i] = l[natural(i)] - k[3 * i] * g[0] - k[3 * i + 1] * g[1] - k[3 * i + 2] * g[2];
      }
      renew();
      make_rest(s);
      TW_UNROLL
      for (int i = 0; i < rest; ++i) {
        R t[3] = {k[3 * i], k[3 * i + 1], k[3 * i + 2]};
        multiply_symmetric(h, t);
        TW_UNROLL
        for (int j = 0; j <= i; ++j)
          s[i * (i + 1) / 2 + j] -= t[0] * k[3 * j] + t[1] * k[3 * j + 1] + t[2] * k[3 * j + 2];
      }
      factor_packed<rest>(s);
      substitute_packed<rest>(s, R{} + 1, y, y);
    }
    renew();
    R k[3 * rest];
    couple(k);
    R t[3] = {};
    TW_UNROLL
    for (int i = 0; i < rest; ++i) {
      l[natural(i)] = y[i];
      TW_UNROLL
      for (int b = 0; b < 3; ++b) t[b] += k[3 * i + b] * y[i];
    }
    multiply_symmetric(h, t);
    TW_UNROLL
    for (int b = 0; b < 3; ++b) l[b * modes] = g[b] - t[b];
  }

 private:
  /// Index of a row of the remainder among all rows.
  TW_FN static constexpr int natural(int i) { return i / (modes - 1) * modes + i % (modes - 1) + 1; }
  TW_FN static constexpr int packed(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

  TW_FN void renew() {
    TW_UNROLL
    for (int i = 0; i < 6; ++i) forget_source(q[i]);
  }
  /// Inverse of the constant part.
  TW_FN void make_constant(R* h) const {
    constexpr int pair[6] = {packed(0, 0),         packed(modes, 0),         packed(2 * modes, 0),
                             packed(modes, modes), packed(2 * modes, modes), packed(2 * modes, 2 * modes)};
    R all[entries];
    Basis::template curl_gram<S>(q, all);
    R k[6];
    TW_UNROLL
    for (int i = 0; i < 6; ++i) k[i] = all[pair[i]] + a[i] * S(1 / Basis::mode_square(0));
    const R inverse = reciprocal(adjugate(k, h));
    TW_UNROLL
    for (int i = 0; i < 6; ++i) h[i] *= inverse;
  }
  /// k: a row of three for every row of the remainder.
  TW_FN void couple(R* k) const {
    R all[entries];
    Basis::template curl_gram<S>(q, all);
    TW_UNROLL
    for (int i = 0; i < rest; ++i) {
      TW_UNROLL
      for (int b = 0; b < 3; ++b) k[3 * i + b] = all[packed(natural(i), b * modes)];
    }
  }
  TW_FN void make_rest(R* s) const {
    constexpr int row[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    R all[entries];
    Basis::template curl_gram<S>(q, all);
    TW_UNROLL
    for (int i = 0; i < rest; ++i) {
      TW_UNROLL
      for (int j = 0; j <= i; ++j) {
        s[i * (i + 1) / 2 + j] = all[packed(natural(i), natural(j))];
        if (i % (modes - 1) == j % (modes - 1))
          s[i * (i + 1) / 2 + j] +=
              a[row[i / (modes - 1)][j / (modes - 1)]] * S(1 / Basis::mode_square(i % (modes - 1) + 1));
      }
    }
  }
};

}  // namespace tetrawave::kernels
