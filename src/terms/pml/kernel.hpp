// Elements of absorbing layers: uniaxial stretches with auxiliary variables, one list of elements per number of these
// (theory/pml). Along the axis i = x, y, z of an element
//   u_i' + rate_i u_i + r1_i P1_i + r2_i P2_i = ...,   P1_i' = u_i - p1_i P1_i,   P2_i' = P1_i - p2_i P2_i,
// with P1, P2 polynomials of the space's degree, stored as coefficients of orthogonal ones.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/frame.hpp"
#include "terms/pml/rows.hpp"

namespace tetrawave::kernels {

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

/// loss = M_A^-1 int N . ( rate u + `step` of a kernel's auxiliary variables with u ), the field u along the axes of an
/// element; M_A weighted with row 0 of the law, rate its row 1.
template <class Basis, class Lane, class Kernel, class R>
TW_FN void find_loss(const Lane& lane, const Kernel& kernel, const R* u, ElementFrame<Lane>& frame, R* loss) {
  using S = typename Kernel::Scalar;
  constexpr int m = Basis::modes;
  R c[3 * m];
  Basis::template components<S>(u, c);
  frame.load(lane, kernel.list.frame);
  R weight[3];
  FrameProjection<Basis, S, Lane> projection;
  TW_UNROLL
  for (int axis = 0; axis < 3; ++axis) {
    weight[axis] = kernel.list.constant(lane, 0, axis);
    const R rate = kernel.list.constant(lane, 1, axis);
    if constexpr (Basis::style == ProductStyle::rolled) {
      TW_UNROLL_BY(1)
      for (int k = 0; k < m; ++k) {
        const R value = frame.template along<m>(c, axis, k);
        projection.add(frame, weight[axis], axis, k, rate * value + kernel.template step<m>(lane, axis, k, value));
      }
    } else {
      TW_UNROLL
      for (int k = 0; k < m; ++k) {
        const R value = frame.template along<m>(c, axis, k);
        projection.add(frame, weight[axis], axis, k, rate * value + kernel.template step<m>(lane, axis, k, value));
      }
    }
  }
  projection.finish(frame, weight, loss);
}

/// DGTD-Central, before its update from n to n + 1, which inverts the mass weighted with `axis` along the axes:
///   p1 = h1 + u,   p2 = h2 + p1,   u <- u - M_A^-1 int N . m ( 2 (axis - 1) u + push1 p1 + push2 p2 ),
///   h1 <- keep1 p1 + u,   h2 <- keep2 p2 + p1,
/// m the axes of the medium, M_A weighted with m axis. Rows of the law: m axis, 2 m (axis - 1), keep1, m push1, keep2,
/// m push2 (terms/pml/coefficients.hpp). `alone` is the same step with no other term acting on u, storing p1 and p2 at
/// the end: DGTD-Upwind with LTS. Or after an update that has left u in `old`.
template <class S>
struct LayersBeforeUpdate {
  using Scalar = S;
  LayerList<S> list;
  const S* old = nullptr;  ///< u
  S* field = nullptr;
  bool begin = false;  ///< sets the state for P1 = P2 = 0 and leaves the field unchanged
  bool alone = false;
  const S* jumps = nullptr;  ///< n rows, added to the field (terms/pml/jumps.hpp), or null

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    R u[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(old, Basis::dofs, own, lane.all(i));
    ElementFrame<Lane> frame;
    R change[Basis::dofs];
    find_loss<Basis>(lane, *this, u, frame, change);
    if (begin) return;
    if (jumps != nullptr) {
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) change[i] -= lane.load(jumps, Basis::dofs, i);
    }
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      u[i] = lane.gather(field, Basis::dofs, own, lane.all(i)) - change[i];
      lane.scatter(field, Basis::dofs, own, i, u[i]);
    }
    if (!alone) return;
    constexpr int m = Basis::modes;
    R c[3 * m];
    Basis::template components<S>(u, c);
    for (int axis = 0; axis < 3; ++axis) {
      TW_UNROLL_BY(1)
      for (int k = 0; k < m; ++k) complete_layer<m>(lane, list, axis, k, frame.template along<m>(c, axis, k));
    }
  }

  template <int m, class Lane, class R>
  TW_FN R step(const Lane& lane, int axis, int k, const R& value) const {
    return advance_layer<m>(lane, list, begin, axis, k, value, alone);
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
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    R less[Basis::dofs];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(old_values, Basis::dofs, own, lane.all(i));
      ElementFrame<Lane> frame;
      find_loss<Basis>(lane, *this, u, frame, less);
    }
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      lane.scatter(new_values, Basis::dofs, own, i,
                   lane.gather(new_values, Basis::dofs, own, lane.all(i)) - b * less[i]);
    }
  }

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
