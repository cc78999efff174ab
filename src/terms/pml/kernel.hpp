// Elements of absorbing layers: uniaxial stretches with auxiliary variables, one list of elements per number of these
// (theory/pml). Along the axis i = x, y, z of an element
//   u_i' + rate_i u_i + r1_i P1_i + r2_i P2_i = ...,   P1_i' = u_i - p1_i P1_i,   P2_i' = P1_i - p2_i P2_i,
// with P1, P2 polynomials of the space's degree, stored as coefficients of orthogonal ones.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// Edges t_a of an element of a list (a * 3 + axis) in a unit of length in which |det J| = 1.
inline constexpr int frame_numbers = 9;

/// Rows of the law of an element with `states` auxiliary variables per axis: `row * 3 + axis`, rows 0 and 1 of u, then
/// two of each variable.
TW_FN constexpr int law_numbers(int states) { return 6 + 6 * states; }

/// Elements with `states` (1 or 2) auxiliary variables per axis, in blocks of lanes.
template <class S>
struct LayerList {
  const std::int32_t* element = nullptr;  ///< 1 row
  const S* frame = nullptr;               ///< frame_numbers rows
  const S* law = nullptr;                 ///< law_numbers rows
  S* memory = nullptr;                    ///< 3 states modes rows
  int states = 1;

  template <class Lane>
  TW_FN auto constant(const Lane& lane, int row, int axis) const {
    return lane.load(law, law_numbers(states), 3 * row + axis);
  }
};

/// An element's frame: its edges t_a and gradients g_a = grad L_a along the axes, |det J| = 1.
template <class Lane>
struct LayerFrame {
  using R = typename Lane::Number;
  R t[9];
  R g[9];

  template <class S>
  TW_FN void load(const Lane& lane, const LayerList<S>& list) {
    TW_UNROLL
    for (int k = 0; k < 9; ++k) t[k] = lane.load(list.frame, frame_numbers, k);
    turn(t + 3, t + 6, g);
    turn(t + 6, t, g + 3);
    turn(t, t + 3, g + 6);
    const R det = t[0] * g[0] + t[1] * g[1] + t[2] * g[2];
    TW_UNROLL
    for (int k = 0; k < 9; ++k) g[k] /= det;
  }
  /// Component along an axis of the field whose covariant coefficients are c, for polynomial k of m.
  template <int m>
  TW_FN R along(const R* c, int axis, int k) const {
    return g[axis] * c[k] + g[3 + axis] * c[m + k] + g[6 + axis] * c[2 * m + k];
  }

 private:
  TW_FN static void turn(const R* a, const R* b, R* c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
  }
};

/// The dofs of the projection M_A^-1 int N . f, f given along the axes axis by axis, M_A weighted with `weight`.
template <class Basis, class S, class Lane>
class LayerProjection {
 public:
  using R = typename Lane::Number;
  /// Adds the coefficient of polynomial k along an axis.
  TW_FN void add(const LayerFrame<Lane>& frame, const R& weight, int axis, int k, const R& f) {
    constexpr int m = Basis::modes;
    if constexpr (Basis::top == 0) {
      const R share = f / weight;
      TW_UNROLL
      for (int a = 0; a < 3; ++a) sum_[a * m + k] += frame.t[3 * a + axis] * share;
    } else {
      TW_UNROLL
      for (int a = 0; a < 3; ++a) sum_[a * m + k] += frame.g[3 * a + axis] * f;
    }
  }
  TW_FN void finish(const LayerFrame<Lane>& frame, const R* weight, R* dofs) const {
    if constexpr (Basis::top == 0) {
      Basis::template to_dofs<S>(sum_, dofs);
    } else {
      constexpr int m = Basis::modes;
      constexpr int low = Basis::low_modes;
      R w[Basis::dofs];
      TW_UNROLL
      for (int a = 0; a < 3; ++a) {
        TW_UNROLL
        for (int k = 0; k < low; ++k) w[a * low + k] = sum_[a * m + k];
      }
      Basis::template top_dual<S>(sum_, w + 3 * low);
      TW_UNROLL
      for (int k = 3 * low; k < Basis::dofs; ++k) w[k] *= S(1. / 6);
      R q[6];
      metric(frame, weight, q);
      R z[Basis::dofs];
      invert_mass<Basis, S>(q, w, z);
      Basis::template to_dofs<S>(z, dofs);
    }
  }

 private:
  /// q_ab = sum_i t_a,i t_b,i/weight_i
  TW_FN static void metric(const LayerFrame<Lane>& frame, const R* weight, R* q) {
    constexpr int pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    TW_UNROLL
    for (int p = 0; p < 6; ++p) {
      q[p] = R{};
      TW_UNROLL
      for (int i = 0; i < 3; ++i) q[p] += frame.t[3 * pairs[p][0] + i] * frame.t[3 * pairs[p][1] + i] / weight[i];
    }
  }

  R sum_[3 * Basis::modes] = {};
};

/// Advances the auxiliary variables of a coefficient by the trapezoidal rule, and returns their contribution; `begin`:
/// sets them for P1 = P2 = 0. `whole`: the stored values have been completed (`complete_layer`).
template <int m, class S, class Lane, class R>
TW_FN R advance_layer(const Lane& lane, const LayerList<S>& list, bool begin, int axis, int k, const R& value,
                      bool whole = false) {
  const int rows = 3 * list.states * m;
  R input = value;
  R sum = R{};
  for (int state = 0; state < list.states; ++state) {
    const int row = (3 * state + axis) * m + k;
    if (begin) {
      lane.store(list.memory, rows, row, R{} - input);
      input = R{};
      continue;
    }
    R p = lane.load(list.memory, rows, row);
    if (!whole) p += input;
    sum += list.constant(lane, 3 + 2 * state, axis) * p;
    lane.store(list.memory, rows, row, list.constant(lane, 2 + 2 * state, axis) * p + input);
    input = p;
  }
  return sum;
}

/// p1 = h1 + u,   p2 = h2 + p1: the result of `advance_layer`, with the field at the end of its step.
template <int m, class S, class Lane, class R>
TW_FN void complete_layer(const Lane& lane, const LayerList<S>& list, int axis, int k, const R& value) {
  const int rows = 3 * list.states * m;
  R input = value;
  for (int state = 0; state < list.states; ++state) {
    const int row = (3 * state + axis) * m + k;
    input += lane.load(list.memory, rows, row);
    lane.store(list.memory, rows, row, input);
  }
}

/// DGTD-Central, before its update from n to n + 1, which inverts the mass weighted with `axis` along the axes:
///   p1 = h1 + u,   p2 = h2 + p1,   u <- u - M_A^-1 int N . m ( 2 (axis - 1) u + push1 p1 + push2 p2 ),
///   h1 <- keep1 p1 + u,   h2 <- keep2 p2 + p1,
/// m the axes of the medium, M_A weighted with m axis. Rows of the law: m axis, 2 m (axis - 1), keep1, m push1, keep2,
/// m push2 (terms/pml/coefficients.hpp). `alone` is the same step with no other term acting on u, storing p1 and p2 at
/// the end: DGTD-Upwind with LTS.
template <class S>
struct LayersBeforeUpdate {
  using Scalar = S;
  LayerList<S> list;
  S* field = nullptr;
  bool begin = false;  ///< sets the state for P1 = P2 = 0 and leaves the field unchanged
  bool alone = false;
  const S* jumps = nullptr;  ///< n rows, added to the field (terms/pml/jumps.hpp), or null

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto own = lane.load_integer(list.element, 1, 0);
    R c[3 * m];
    R u[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(field, Basis::dofs, own, lane.all(i));
    Basis::template components<S>(u, c);
    LayerFrame<Lane> frame;
    frame.load(lane, list);
    R weight[3];
    LayerProjection<Basis, S, Lane> loss;
    TW_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      weight[axis] = list.constant(lane, 0, axis);
      const R rate = list.constant(lane, 1, axis);
      if constexpr (Basis::style == ProductStyle::rolled) {
        TW_UNROLL_BY(1)
        for (int k = 0; k < m; ++k) {
          const R value = frame.template along<m>(c, axis, k);
          loss.add(frame, weight[axis], axis, k,
                   rate * value + advance_layer<m>(lane, list, begin, axis, k, value, alone));
        }
      } else {
        TW_UNROLL
        for (int k = 0; k < m; ++k) {
          const R value = frame.template along<m>(c, axis, k);
          loss.add(frame, weight[axis], axis, k,
                   rate * value + advance_layer<m>(lane, list, begin, axis, k, value, alone));
        }
      }
    }
    if (begin) return;
    R change[Basis::dofs];
    loss.finish(frame, weight, change);
    if (jumps != nullptr) {
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) change[i] -= lane.load(jumps, Basis::dofs, i);
    }
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      u[i] -= change[i];
      lane.scatter(field, Basis::dofs, own, i, u[i]);
    }
    if (!alone) return;
    Basis::template components<S>(u, c);
    for (int axis = 0; axis < 3; ++axis) {
      TW_UNROLL_BY(1)
      for (int k = 0; k < m; ++k) complete_layer<m>(lane, list, axis, k, frame.template along<m>(c, axis, k));
    }
  }
};

/// DGTD-Upwind, after a stage: P1/dt and P2/dt^2 are unknowns of the Runge-Kutta method. Rows of the law: m, dt m rate,
/// dt pole1, dt^2 m residue1, dt pole2, dt^3 m residue2; registers like the states.
template <class S>
struct LayersAfterStage {
  using Scalar = S;
  LayerList<S> list;
  S* registers = nullptr;
  const S* old_values = nullptr;
  S* new_values = nullptr;
  S* change = nullptr;
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto own = lane.load_integer(list.element, 1, 0);
    R c[3 * m];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(old_values, Basis::dofs, own, lane.all(i));
      Basis::template components<S>(u, c);
    }
    LayerFrame<Lane> frame;
    frame.load(lane, list);
    R weight[3];
    LayerProjection<Basis, S, Lane> loss;
    TW_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      weight[axis] = list.constant(lane, 0, axis);
      const R rate = list.constant(lane, 1, axis);
      if constexpr (Basis::style == ProductStyle::rolled) {
        TW_UNROLL_BY(1)
        for (int k = 0; k < m; ++k) {
          const R value = frame.template along<m>(c, axis, k);
          loss.add(frame, weight[axis], axis, k, rate * value + step<m>(lane, axis, k, value));
        }
      } else {
        TW_UNROLL
        for (int k = 0; k < m; ++k) {
          const R value = frame.template along<m>(c, axis, k);
          loss.add(frame, weight[axis], axis, k, rate * value + step<m>(lane, axis, k, value));
        }
      }
    }
    R less[Basis::dofs];
    loss.finish(frame, weight, less);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      lane.scatter(change, Basis::dofs, own, i, lane.gather(change, Basis::dofs, own, lane.all(i)) - less[i]);
      lane.scatter(new_values, Basis::dofs, own, i,
                   lane.gather(new_values, Basis::dofs, own, lane.all(i)) - b * less[i]);
    }
  }

 private:
  template <int m, class Lane, class R>
  TW_FN R step(const Lane& lane, int axis, int k, const R& value) const {
    const int rows = 3 * list.states * m;
    R input = value;
    R sum = R{};
    for (int state = 0; state < list.states; ++state) {
      const int row = (3 * state + axis) * m + k;
      const R p = lane.load(list.memory, rows, row);
      sum += list.constant(lane, 3 + 2 * state, axis) * p;
      const R w = a * lane.load(registers, rows, row) + input - list.constant(lane, 2 + 2 * state, axis) * p;
      lane.store(registers, rows, row, w);
      lane.store(list.memory, rows, row, p + b * w);
      input = p;
    }
    return sum;
  }
};

}  // namespace tetrawave::kernels
