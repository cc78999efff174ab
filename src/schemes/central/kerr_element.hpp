// Common part of the kernels of Kerr media: the elements of one region with their densities, and integrals over them by
// quadrature. With covariant components u_a of E at a point, |E|^2 = u . adj(q) u, all without |det J| (theory/kerr).
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"
#include "schemes/central/kerr_spaces.hpp"

namespace tetrawave::kernels {

/// Figures per element: total iterations, the maximum in a step, the largest eps_r, the first step that did not
/// converge (-1: none).
inline constexpr int kerr_figures = 4;

template <class S>
struct KerrElements {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  Metric<S> metric;                       ///< of the shape
  S* field = nullptr;
  S* density = nullptr;       ///< n rows: D/eps0 as dofs
  S* earlier = nullptr;       ///< n rows: the field of the previous step
  S* figures = nullptr;       ///< kerr_figures rows
  S* energy = nullptr;        ///< 1 row, of all elements: int 3/2 chi |E|^4
  const S* shape = nullptr;   ///< per point 3 n: component a of function i at 3 i + a
  const S* weight = nullptr;  ///< per point; their sum is 1/6
  int points = 0;
  S c = 1;
  S eps_r = 1;
  S chi = 0;

  /// Maximum of |E|^2 over the quadrature points, and the integral of its square.
  template <class Lane>
  struct Squares {
    typename Lane::Number largest{};
    typename Lane::Number integral{};
  };

  /// Hands an element to `change<Basis>(lane, gram, u)` of a kernel, gram = adj(q) and u its field, which returns the
  /// squares of the field it left.
  template <class Basis, class Lane, class Kernel>
  TW_FN void run_on([[maybe_unused]] const Lane& lane, [[maybe_unused]] const Kernel& kernel) const {
    if constexpr (has_kerr(Basis::space)) {
      constexpr int n = Basis::dofs;
      using R = typename Lane::Number;
      const auto own = lane.load_integer(element, 1, 0);
      R q[6];
      metric.gather(lane, own, q);
      R u[n];
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i) u[i] = lane.gather(field, n, own, lane.all(i));
      R gram[6];
      const R det = adjugate(q, gram);
      const Squares<Lane> squares = kernel.template change<Basis>(lane, gram, u);
      close<Basis>(lane, det, u, squares);
    }
  }

  /// Stores the energy and the largest eps_r of a field, and the field itself for the next step.
  template <class Basis, class Lane, class R>
  TW_FN void close(const Lane& lane, const R& det, const R* u, const Squares<Lane>& squares) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) lane.store(earlier, n, i, u[i]);
    keep_squares(lane, det, squares);
  }
  template <class Lane, class R>
  TW_FN void keep_squares(const Lane& lane, const R& det, const Squares<Lane>& squares) const {
    const R largest = lane.larger(lane.load(figures, kerr_figures, 2), eps_r + chi * squares.largest);
    lane.store(figures, kerr_figures, 2, largest);
    const auto own = lane.load_integer(element, 1, 0);
    lane.scatter(energy, 1, own, 0, S(1.5) * chi * squares.integral / det);  // |det J| = 1/det q
  }

  template <class Basis, class Lane, class R>
  TW_FN Squares<Lane> squares(const Lane& lane, const R* gram, const R* u) const {
    constexpr int n = Basis::dofs;
    Squares<Lane> squares;
    TW_UNROLL_BY(1)
    for (int g = 0; g < points; ++g) {
      R v[3], p[3];
      see<n>(g, gram, u, v, p);
      const R square = v[0] * p[0] + v[1] * p[1] + v[2] * p[2];
      squares.largest = lane.larger(squares.largest, square);
      squares.integral += weight[g] * square * square;
    }
    return squares;
  }

  template <class Basis, class Lane, class R>
  TW_FN void put(const Lane& lane, const R* u) const {
    constexpr int n = Basis::dofs;
    const auto own = lane.load_integer(element, 1, 0);
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) lane.scatter(field, n, own, i, u[i]);
  }

  /// moment = int N . v
  template <class Basis, class Lane, class R>
  TW_FN void mass_product(const Lane&, const R* gram, const R* v, R* moment) const {
    constexpr int n = Basis::dofs;
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) moment[i] = R{};
    TW_UNROLL_BY(1)
    for (int g = 0; g < points; ++g) {
      R w[3], p[3];
      const S* at = see<n>(g, gram, v, w, p);
      TW_UNROLL_IF(n <= 12)
      for (int i = 0; i < n; ++i)
        moment[i] += weight[g] * (at[3 * i] * p[0] + at[3 * i + 1] * p[1] + at[3 * i + 2] * p[2]);
    }
  }

  /// Covariant components v of the field u at point g, and adj(q) v; returns the functions there.
  template <int n, class R>
  TW_FN const S* see(int g, const R* gram, const R* u, R* v, R* p) const {
    const S* at = shape + 3 * n * g;
    value<n>(at, u, v);
    apply(gram, v, p);
    return at;
  }
  template <int n, class R>
  TW_FN static void value(const S* at, const R* u, R* v) {
    v[0] = v[1] = v[2] = R{};
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) {
      v[0] += at[3 * i] * u[i];
      v[1] += at[3 * i + 1] * u[i];
      v[2] += at[3 * i + 2] * u[i];
    }
  }
  template <class R>
  TW_FN static void apply(const R* gram, const R* v, R* p) {
    p[0] = gram[0] * v[0] + gram[1] * v[1] + gram[2] * v[2];
    p[1] = gram[1] * v[0] + gram[3] * v[1] + gram[4] * v[2];
    p[2] = gram[2] * v[0] + gram[4] * v[1] + gram[5] * v[2];
  }

  template <int n, class R>
  TW_FN static R square_of(const R* r) {
    R sum = R{};
    TW_UNROLL_IF(n <= 12)
    for (int i = 0; i < n; ++i) sum += r[i] * r[i];
    return sum;
  }
};

}  // namespace tetrawave::kernels
