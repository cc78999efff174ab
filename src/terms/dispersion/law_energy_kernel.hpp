// Energies in addition to 1/2 u . M u (theory/energy): of dispersive terms, and of losses and terms in the mass of
// anisotropic media.
#pragma once

#include "kernels/frame.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::kernels {

/// Numbers per term of LawEnergy: alpha, beta, gamma of alpha |x1|^2 + beta |x2 - gamma x1|^2.
inline constexpr int energy_constants = 3;

/// energy[element] = sum_i weight_i u_i . v_i + sum over the terms of their stored energy, integrals over the element,
/// u and v a field at one time (v = u) or half a step before and after. For terms then
///   ( W(x-) + W(x+) )/2 - (v - u) . (P+ - P-)/2,   x = h + g u,   W = sum alpha |x1|^2 + beta |x2 - gamma x1|^2.
template <class S>
struct LawEnergy {
  using Scalar = S;
  PoleList<S> list;            ///< states: h1, h2; without `implicit` x1, x2
  const S* frame = nullptr;    ///< frame_numbers rows
  const S* length = nullptr;   ///< 1 row: |det J|^(1/3)
  const S* factors = nullptr;  ///< energy_constants per term
  const S* field = nullptr;    ///< v
  const S* earlier = nullptr;  ///< u; or null
  const S* kept = nullptr;     ///< the states half a step before, with `earlier`
  bool implicit = true;
  S weight[3] = {0, 0, 0};
  S* energy = nullptr;  ///< 1 row of all elements

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    ElementFrame<Lane> shape;
    shape.load(lane, frame);
    R sum = R{};
    if (weight[0] != S(0) || weight[1] != S(0) || weight[2] != S(0)) sum += of_axes<Basis>(lane, own, shape);
    for (int t = 0; t < list.terms; ++t) {
      const R now = of_term<Basis>(lane, own, shape, t, field, list.memory);
      if (earlier == nullptr) {
        sum += now;
        continue;
      }
      sum += S(0.5) * (now + of_term<Basis>(lane, own, shape, t, earlier, kept));
      sum -= of_change<Basis>(lane, own, shape, t);
    }
    const R scale = lane.load(length, 1, 0) / S(6);
    lane.scatter(energy, 1, own, 0, scale * sum);
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN R product(const ElementFrame<Lane>& shape, const R* u, const R* v, int axis) const {
    constexpr int m = Basis::modes;
    R sum = R{};
    TW_UNROLL_IF(Basis::style != ProductStyle::rolled)
    for (int k = 0; k < m; ++k)
      sum += S(Basis::mode_square(k)) * shape.template along<m>(u, axis, k) * shape.template along<m>(v, axis, k);
    return sum;
  }
  /// Along all axes.
  template <class Basis, class Lane, class R>
  TW_FN R product(const ElementFrame<Lane>& shape, const R* u, const R* v) const {
    return product<Basis>(shape, u, v, 0) + product<Basis>(shape, u, v, 1) + product<Basis>(shape, u, v, 2);
  }

  template <class Basis, class Lane, class Integer>
  TW_FN auto of_axes(const Lane& lane, const Integer& own, const ElementFrame<Lane>& shape) const {
    using R = typename Lane::Number;
    R dofs[Basis::dofs];
    R v[3 * Basis::modes];
    R u[3 * Basis::modes];
    const S* first = earlier == nullptr ? field : earlier;
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) dofs[i] = lane.gather(field, Basis::dofs, own, lane.all(i));
    Basis::template components<S>(dofs, v);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) dofs[i] = lane.gather(first, Basis::dofs, own, lane.all(i));
    Basis::template components<S>(dofs, u);
    R sum = R{};
    TW_UNROLL
    for (int axis = 0; axis < 3; ++axis) sum += weight[axis] * product<Basis>(shape, u, v, axis);
    return sum;
  }

  /// State 0 or 1 of a term at dof i, and for state 1 the factor of beta.
  template <class Basis, class Lane, class R>
  TW_FN R state(const Lane& lane, int t, int which, int i, const R& u, const S* memory) const {
    const R x = lane.load(memory, 2 * list.terms * Basis::dofs, memory_row<Basis>(t, which, i));
    return implicit ? x + list.constants[term_constants * t + 4 + which] * u : x;
  }

  template <class Basis, class Lane, class Integer>
  TW_FN auto of_term(const Lane& lane, const Integer& own, const ElementFrame<Lane>& shape, int t, const S* values,
                     const S* memory) const {
    using R = typename Lane::Number;
    const S* f = factors + energy_constants * t;
    R x1[Basis::dofs];
    R x2[Basis::dofs];
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(values, Basis::dofs, own, lane.all(i));
      x1[i] = state<Basis>(lane, t, 0, i, u, memory);
      x2[i] = state<Basis>(lane, t, 1, i, u, memory) - f[2] * x1[i];
    }
    R c[3 * Basis::modes];
    Basis::template components<S>(x1, c);
    R sum = f[0] * product<Basis>(shape, c, c);
    Basis::template components<S>(x2, c);
    sum += f[1] * product<Basis>(shape, c, c);
    return sum;
  }

  /// (v - u) . (P+ - P-)/2
  template <class Basis, class Lane, class Integer>
  TW_FN auto of_change(const Lane& lane, const Integer& own, const ElementFrame<Lane>& shape, int t) const {
    using R = typename Lane::Number;
    R change[Basis::dofs];
    R polarised[Basis::dofs];
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(earlier, Basis::dofs, own, lane.all(i));
      const R v = lane.gather(field, Basis::dofs, own, lane.all(i));
      change[i] = v - u;
      polarised[i] = state<Basis>(lane, t, 0, i, v, list.memory) - state<Basis>(lane, t, 0, i, u, kept);
    }
    R a[3 * Basis::modes];
    R b[3 * Basis::modes];
    Basis::template components<S>(change, a);
    Basis::template components<S>(polarised, b);
    const R sum = S(0.5) * product<Basis>(shape, a, b);
    return sum;
  }
};

}  // namespace tetrawave::kernels
