// Elements of dispersive media: the polarisations that go with their fields, one list of elements per medium
// (THEORY.md 18). A medium has `terms` terms of two states each,
//   x1' = -a1 x1 + x2 + b1 u,   x2' = -a0 x1 + b0 u,   P = x1   (one state: x2 = 0, a1, b1 for a0, b0).
// By the trapezoidal rule x+ = T x + g (u + u+); what is kept between steps is h = T x + g u, so that x = h + g u+.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Constants of one term on the device: T11 T12 T21 T22 g1 g2.
inline constexpr int term_constants = 6;

/// Elements of one medium, in blocks of lanes.
template <class S>
struct PoleList {
  const std::int32_t* element = nullptr;  ///< 1 row
  int terms = 0;
  const S* constants = nullptr;  ///< term_constants per term
  S* memory = nullptr;           ///< 2 terms dofs rows: h1, h2 of a term, dof by dof
};

/// Row of state s of term t for dof i.
template <class Basis>
TW_FN constexpr int memory_row(int t, int s, int i) {
  return (2 * t + s) * Basis::dofs + i;
}

/// DGTD-Central, before its update from n to n + 1: with S_a = sum g1 + dt sigma/2 (both in the gain of the update),
///   (c + S_a)(u+ - u) = dt M^-1(...) - sum (P+ at u+ = u, minus P) - dt sigma u.
template <class S>
struct PolesBeforeUpdate {
  using Scalar = S;
  PoleList<S> list;
  S* field = nullptr;
  S* sums = nullptr;   ///< n rows: what the field would lose times c + S_a goes here (kernels/axes.hpp); or null
  S share = 0;         ///< 1/(c + S_a)
  S loss = 0;          ///< dt sigma
  bool begin = false;  ///< sets the memory for P = 0 and leaves the field

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    const int rows = 2 * list.terms * Basis::dofs;
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(field, Basis::dofs, own, lane.all(i));
      R sum = loss * u;
      for (int t = 0; t < list.terms; ++t) {
        const S* c = list.constants + term_constants * t;
        if (begin) {
          lane.store(list.memory, rows, memory_row<Basis>(t, 0, i), -c[4] * u);
          lane.store(list.memory, rows, memory_row<Basis>(t, 1, i), -c[5] * u);
          continue;
        }
        const R x1 = lane.load(list.memory, rows, memory_row<Basis>(t, 0, i)) + c[4] * u;
        const R x2 = lane.load(list.memory, rows, memory_row<Basis>(t, 1, i)) + c[5] * u;
        const R h1 = c[0] * x1 + c[1] * x2 + c[4] * u;
        const R h2 = c[2] * x1 + c[3] * x2 + c[5] * u;
        sum += h1 + c[4] * u - x1;
        lane.store(list.memory, rows, memory_row<Basis>(t, 0, i), h1);
        lane.store(list.memory, rows, memory_row<Basis>(t, 1, i), h2);
      }
      if (sums != nullptr)
        lane.store(sums, Basis::dofs, i, sum);
      else if (!begin)
        lane.scatter(field, Basis::dofs, own, i, u - share * sum);
    }
  }
};

/// DGTD-Upwind, after a stage: the polarisations are unknowns of the Runge-Kutta method, c u' = ... - sum P'.
/// Constants of a term: dt times a0 a1 b0 b1 (and two unused); memory: x1, x2; registers alike.
template <class S>
struct PolesAfterStage {
  using Scalar = S;
  PoleList<S> list;
  S* registers = nullptr;
  const S* old_values = nullptr;
  S* new_values = nullptr;
  S* change = nullptr;
  S* sums = nullptr;  ///< n rows: what the rate would lose times c goes here (kernels/axes.hpp); or null
  S share = 0;        ///< 1/c
  S loss = 0;         ///< dt sigma, where the stage has left it out
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(list.element, 1, 0);
    const int rows = 2 * list.terms * Basis::dofs;
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(old_values, Basis::dofs, own, lane.all(i));
      R sum = loss * u;
      for (int t = 0; t < list.terms; ++t) {
        const S* c = list.constants + term_constants * t;
        const int row1 = memory_row<Basis>(t, 0, i);
        const int row2 = memory_row<Basis>(t, 1, i);
        const R x1 = lane.load(list.memory, rows, row1);
        const R x2 = lane.load(list.memory, rows, row2);
        const R rate1 = c[4] * x2 + c[3] * u - c[1] * x1;
        const R rate2 = c[2] * u - c[0] * x1;
        const R w1 = a * lane.load(registers, rows, row1) + rate1;
        const R w2 = a * lane.load(registers, rows, row2) + rate2;
        sum += rate1;
        lane.store(registers, rows, row1, w1);
        lane.store(registers, rows, row2, w2);
        lane.store(list.memory, rows, row1, x1 + b * w1);
        lane.store(list.memory, rows, row2, x2 + b * w2);
      }
      if (sums != nullptr) {
        lane.store(sums, Basis::dofs, i, sum);
        continue;
      }
      const R less = share * sum;
      lane.scatter(change, Basis::dofs, own, i, lane.gather(change, Basis::dofs, own, lane.all(i)) - less);
      lane.scatter(new_values, Basis::dofs, own, i, lane.gather(new_values, Basis::dofs, own, lane.all(i)) - b * less);
    }
  }
};

/// DFDD-ELD with the passive dual (THEORY.md 18). The field's own law, c u + sum P(u), and the other law, the field
/// that the curl of this equation sees: zeta with c' zeta + sum Q(zeta) = u, each with its terms (conductivities too).
template <class S>
struct RatePoles {
  using Scalar = S;
  PoleList<S> own;       ///< memory: h1, h2 of u
  PoleList<S> other;     ///< terms of the other material; memory: h1, h2 of zeta
  S* vectors = nullptr;  ///< 5 rows of dofs: sum P before | zeta | zeta before | Q+ at zeta+ = 0 | shift of u
  S* value = nullptr;
  S* rate = nullptr;
  S own_sum = 0;         ///< a = c + sum g1 of the own terms
  S own_share = 0;       ///< sum g1 of the own terms
  S other_sum = 0;       ///< c' + sum g1 of the other terms
  S other_constant = 1;  ///< c'
  S dt = 0;
  int phase = 0;  ///< 0: before the update, 1: after it, 2: sets memories for P = Q = 0

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto element = lane.load_integer(own.element, 1, 0);
    for (int i = 0; i < Basis::dofs; ++i) {
      if (phase == 0) before<Basis>(lane, element, i);
      if (phase == 1) after<Basis>(lane, element, i);
      if (phase == 2) begin<Basis>(lane, element, i);
    }
  }

 private:
  enum Row { polarisation, zeta_now, zeta_before, history_row, shift };
  template <class Basis, class Lane>
  TW_FN auto get(const Lane& lane, Row row, int i) const {
    return lane.load(vectors, 5 * Basis::dofs, row * Basis::dofs + i);
  }
  template <class Basis, class Lane, class R>
  TW_FN void put(const Lane& lane, Row row, int i, const R& x) const {
    lane.store(vectors, 5 * Basis::dofs, row * Basis::dofs + i, x);
  }

  /// x -> x + g/a, u -> c'' s + dt/4 (x + g/a), with which the plain update gives the dispersive one.
  template <class Basis, class Lane, class Integer>
  TW_FN void before(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i));
    const R x = lane.gather(rate, Basis::dofs, element, lane.all(i));
    R now = R{};   // sum P
    R next = R{};  // sum P+ at u+ = u
    for (int t = 0; t < own.terms; ++t) {
      const S* c = own.constants + term_constants * t;
      const int rows = 2 * own.terms * Basis::dofs;
      const R x1 = lane.load(own.memory, rows, memory_row<Basis>(t, 0, i)) + c[4] * u;
      const R x2 = lane.load(own.memory, rows, memory_row<Basis>(t, 1, i)) + c[5] * u;
      const R h1 = c[0] * x1 + c[1] * x2 + c[4] * u;
      const R h2 = c[2] * x1 + c[3] * x2 + c[5] * u;
      now += x1;
      next += h1 + c[4] * u;
      lane.store(own.memory, rows, memory_row<Basis>(t, 0, i), h1);
      lane.store(own.memory, rows, memory_row<Basis>(t, 1, i), h2);
    }
    const R g = (now - get<Basis>(lane, polarisation, i) - next + now) / dt - own_share * x;
    put<Basis>(lane, polarisation, i, now);
    const R zeta = get<Basis>(lane, zeta_now, i);
    R history = R{};  // sum of Q+ at zeta+ = 0
    for (int t = 0; t < other.terms; ++t) {
      const S* c = other.constants + term_constants * t;
      const int rows = 2 * other.terms * Basis::dofs;
      const R x1 = lane.load(other.memory, rows, memory_row<Basis>(t, 0, i)) + c[4] * zeta;
      const R x2 = lane.load(other.memory, rows, memory_row<Basis>(t, 1, i)) + c[5] * zeta;
      const R h1 = c[0] * x1 + c[1] * x2 + c[4] * zeta;
      const R h2 = c[2] * x1 + c[3] * x2 + c[5] * zeta;
      history += h1;
      lane.store(other.memory, rows, memory_row<Basis>(t, 0, i), h1);
      lane.store(other.memory, rows, memory_row<Basis>(t, 1, i), h2);
    }
    const R pushed = x + g / own_sum;
    const R seen = (u - history) * S(0.25) + other_sum * (zeta * S(0.5) + get<Basis>(lane, zeta_before, i) * S(0.25)) +
                   dt * S(0.25) * pushed;
    put<Basis>(lane, history_row, i, history);
    put<Basis>(lane, shift, i, seen - u);
    lane.scatter(rate, Basis::dofs, element, i, pushed);
    lane.scatter(value, Basis::dofs, element, i, seen);
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void after(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i)) - get<Basis>(lane, shift, i);
    lane.scatter(value, Basis::dofs, element, i, u);
    const R zeta = get<Basis>(lane, zeta_now, i);
    put<Basis>(lane, zeta_before, i, zeta);
    const R advanced = (u - get<Basis>(lane, history_row, i)) / other_sum;
    put<Basis>(lane, zeta_now, i, advanced);
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void begin(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i));
    const R before_u = u - dt * lane.gather(rate, Basis::dofs, element, lane.all(i));
    const R zeta = u / other_constant;
    put<Basis>(lane, polarisation, i, R{});
    put<Basis>(lane, zeta_now, i, zeta);
    const R before_zeta = before_u / other_constant;
    put<Basis>(lane, zeta_before, i, before_zeta);
    forget<Basis>(lane, own, i, u);
    forget<Basis>(lane, other, i, zeta);
  }

  /// h for P = 0 at the value u.
  template <class Basis, class Lane, class R>
  TW_FN void forget(const Lane& lane, const PoleList<S>& list, int i, const R& u) const {
    for (int t = 0; t < list.terms; ++t) {
      const S* c = list.constants + term_constants * t;
      const R h1 = -c[4] * u;
      const R h2 = -c[5] * u;
      lane.store(list.memory, 2 * list.terms * Basis::dofs, memory_row<Basis>(t, 0, i), h1);
      lane.store(list.memory, 2 * list.terms * Basis::dofs, memory_row<Basis>(t, 1, i), h2);
    }
  }
};

}  // namespace tetrawave::kernels
