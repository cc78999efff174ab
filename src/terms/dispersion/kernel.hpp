// Elements of dispersive media: polarisations of their fields, one list of elements per medium (theory/dispersion). A
// medium has `terms` terms of two states each,
//   x1' = -a1 x1 + x2 + b1 u,   x2' = -a0 x1 + b0 u,   P = x1   (one state: x2 = 0, a1, b1 for a0, b0).
// By the trapezoidal rule x+ = T x + g (u + u+); h = T x + g u is stored between steps, so that x = h + g u+.
#pragma once

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

/// Whether a term integrated by the trapezoidal rule has one state; h2 is then zero, and steps neither read nor write
/// it.
template <class S>
TW_FN bool has_one_state(const S* constants) {
  return constants[1] == S(0);
}

/// Dofs processed together, so that their loads are in flight at once.
template <class Basis>
constexpr int dofs_at_once() {
  return Basis::dofs % 6 == 0 ? 6 : 5;
}

/// One trapezoidal step of the state of term t at dofs i, i + 1, .. and their present u; h: h1 of the coming step, x1:
/// the present state.
template <class Basis, int count, class S, class Lane, class R>
TW_FN void advance_term(const Lane& lane, const PoleList<S>& list, int t, int i, const R* u, R* h, R* x1) {
  const S* c = list.constants + term_constants * t;
  const int rows = 2 * list.terms * Basis::dofs;
  const int first = memory_row<Basis>(t, 0, i);
  TW_UNROLL
  for (int k = 0; k < count; ++k) x1[k] = lane.load(list.memory, rows, first + k) + c[4] * u[k];
  TW_UNROLL
  for (int k = 0; k < count; ++k) h[k] = c[0] * x1[k] + c[4] * u[k];
  if (!has_one_state(c)) {
    const int second = memory_row<Basis>(t, 1, i);
    R x2[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) x2[k] = lane.load(list.memory, rows, second + k) + c[5] * u[k];
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      h[k] += c[1] * x2[k];
      lane.store(list.memory, rows, second + k, c[2] * x1[k] + c[3] * x2[k] + c[5] * u[k]);
    }
  }
  TW_UNROLL
  for (int k = 0; k < count; ++k) lane.store(list.memory, rows, first + k, h[k]);
}

/// DGTD-Central, before its update from n to n + 1: with S_a = sum g1 + dt sigma/2 (both in the gain of the update),
///   (c + S_a)(u+ - u) = dt M^-1(...) - sum (P+ at u+ = u, minus P) - dt sigma u.
/// Or after an update that has left u in `old`.
template <class S>
struct PolesBeforeUpdate {
  using Scalar = S;
  PoleList<S> list;
  const S* old = nullptr;  ///< u
  S* field = nullptr;
  S* sums = nullptr;   ///< n rows, which get the change of the field times c + S_a (terms/dispersion/axes.hpp); or null
  S share = 0;         ///< 1/(c + S_a)
  S loss = 0;          ///< dt sigma
  bool begin = false;  ///< sets the state for P = 0 and leaves the field unchanged

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto own = lane.load_integer(list.element, 1, 0);
    for (int i = 0; i < Basis::dofs; i += dofs_at_once<Basis>()) {
      if (begin)
        forget<Basis>(lane, own, i);
      else
        advance<Basis>(lane, own, i);
    }
  }

 private:
  template <class Basis, class Lane, class Integer>
  TW_FN void advance(const Lane& lane, const Integer& own, int i) const {
    using R = typename Lane::Number;
    constexpr int count = dofs_at_once<Basis>();
    R u[count];
    R sum[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) u[k] = lane.gather(old, Basis::dofs, own, lane.all(i + k));
    TW_UNROLL
    for (int k = 0; k < count; ++k) sum[k] = loss * u[k];
    for (int t = 0; t < list.terms; ++t) {
      R h[count];
      R x[count];
      advance_term<Basis, count>(lane, list, t, i, u, h, x);
      const S g = list.constants[term_constants * t + 4];
      TW_UNROLL
      for (int k = 0; k < count; ++k) sum[k] += h[k] + g * u[k] - x[k];
    }
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      if (sums != nullptr)
        lane.store(sums, Basis::dofs, i + k, sum[k]);
      else
        lane.scatter(field, Basis::dofs, own, i + k,
                     lane.gather(field, Basis::dofs, own, lane.all(i + k)) - share * sum[k]);
    }
  }
  template <class Basis, class Lane, class Integer>
  TW_FN void forget(const Lane& lane, const Integer& own, int first) const {
    using R = typename Lane::Number;
    const int rows = 2 * list.terms * Basis::dofs;
    for (int i = first; i < first + dofs_at_once<Basis>(); ++i) {
      const R u = lane.gather(old, Basis::dofs, own, lane.all(i));
      for (int t = 0; t < list.terms; ++t) {
        const S* c = list.constants + term_constants * t;
        lane.store(list.memory, rows, memory_row<Basis>(t, 0, i), -c[4] * u);
        lane.store(list.memory, rows, memory_row<Basis>(t, 1, i), -c[5] * u);
      }
      if (sums != nullptr) lane.store(sums, Basis::dofs, i, loss * u);
    }
  }
};

/// DGTD-Upwind, after a stage: the polarisations are unknowns of the Runge-Kutta method, c u' = ... - sum P'. Constants
/// of a term: dt times a0 a1 b0 b1 (and two unused); states: x1, x2; registers in the same form.
template <class S>
struct PolesAfterStage {
  using Scalar = S;
  PoleList<S> list;
  S* registers = nullptr;
  const S* old_values = nullptr;
  S* new_values = nullptr;
  S* sums = nullptr;  ///< n rows, which get the change of the rate times c (terms/dispersion/axes.hpp); or null
  S share = 0;        ///< 1/c
  S loss = 0;         ///< dt sigma, if the stage has omitted it
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int count = dofs_at_once<Basis>();
    const auto own = lane.load_integer(list.element, 1, 0);
    for (int i = 0; i < Basis::dofs; i += count) {
      R u[count];
      R sum[count];
      TW_UNROLL
      for (int k = 0; k < count; ++k) u[k] = lane.gather(old_values, Basis::dofs, own, lane.all(i + k));
      TW_UNROLL
      for (int k = 0; k < count; ++k) sum[k] = loss * u[k];
      for (int t = 0; t < list.terms; ++t) advance<Basis, count>(lane, t, i, u, sum);
      if (sums != nullptr) {
        TW_UNROLL
        for (int k = 0; k < count; ++k) lane.store(sums, Basis::dofs, i + k, sum[k]);
        continue;
      }
      take<Basis, count>(lane, own, i, sum);
    }
  }

 private:
  /// sum += P'
  template <class Basis, int count, class Lane, class R>
  TW_FN void advance(const Lane& lane, int t, int i, const R* u, R* sum) const {
    const S* c = list.constants + term_constants * t;
    const int rows = 2 * list.terms * Basis::dofs;
    const int first = memory_row<Basis>(t, 0, i);
    R x[count];
    R w[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      x[k] = lane.load(list.memory, rows, first + k);
      w[k] = a * lane.load(registers, rows, first + k);
    }
    R rate[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) rate[k] = c[3] * u[k] - c[1] * x[k];
    if (c[4] != S(0)) {  // two states
      const int second = memory_row<Basis>(t, 1, i);
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        const R x2 = lane.load(list.memory, rows, second + k);
        rate[k] += c[4] * x2;
        const R w2 = a * lane.load(registers, rows, second + k) + c[2] * u[k] - c[0] * x[k];
        lane.store(registers, rows, second + k, w2);
        lane.store(list.memory, rows, second + k, x2 + b * w2);
      }
    }
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      w[k] += rate[k];
      sum[k] += rate[k];
      lane.store(registers, rows, first + k, w[k]);
      lane.store(list.memory, rows, first + k, x[k] + b * w[k]);
    }
  }
  /// u -= b share sum
  template <class Basis, int count, class Lane, class Integer, class R>
  TW_FN void take(const Lane& lane, const Integer& own, int i, const R* sum) const {
    R old[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) old[k] = lane.gather(new_values, Basis::dofs, own, lane.all(i + k));
    TW_UNROLL
    for (int k = 0; k < count; ++k) lane.scatter(new_values, Basis::dofs, own, i + k, old[k] - b * (share * sum[k]));
  }
};

/// DFDD-ELD with the passive dual (theory/dispersion). The field's own law, c u + sum P(u), and the other law, which
/// acts on the curl in this equation: zeta with c' zeta + sum Q(zeta) = u, each with its terms (including
/// conductivities). As little as possible is stored: zeta = (u - sum h1)/(c' + sum g1) follows from u and the states,
/// and if the other law has no terms zeta = u/c', zeta before = (u - dt x)/c'.
template <class S>
struct RatePoles {
  using Scalar = S;
  enum Row { polarisation, zeta_before, shift, rows };  ///< of n each: sum P and zeta before; shift of u
  static constexpr int rows_of_update = shift;          ///< if the update itself handles the terms (`look`)
  PoleList<S> own;                                      ///< states: h1, h2 of u
  PoleList<S> other;                                    ///< terms of the other material; states: h1, h2 of zeta
  S* vectors = nullptr;                                 ///< `width` times n rows
  int width = rows;
  S* value = nullptr;
  S* rate = nullptr;
  S own_sum = 0;         ///< a = c + sum g1 of the own terms
  S own_share = 0;       ///< sum g1 of the own terms
  S other_sum = 0;       ///< c' + sum g1 of the other terms
  S other_constant = 1;  ///< c'
  S dt = 0;
  int phase = 0;  ///< 0: before the update, 1: after it, 2: sets states for P = Q = 0

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto element = lane.load_integer(own.element, 1, 0);
    for (int i = 0; i < Basis::dofs; i += dofs_at_once<Basis>()) {
      if (phase == 0) before<Basis>(lane, element, i);
      if (phase == 1) after<Basis>(lane, element, i);
      if (phase == 2)
        for (int k = 0; k < dofs_at_once<Basis>(); ++k) begin<Basis>(lane, element, i + k);
    }
  }

  /// x -> x + g/a, u -> c'' s + dt/4 (x + g/a), with which the plain update gives the dispersive one: the additions to
  /// u and x of dofs i, i + 1, .. States for the next step are stored.
  template <class Basis, int count, class Lane, class R>
  TW_FN void look(const Lane& lane, int i, const R* u, const R* x, R* change, R* push) const {
    TW_UNROLL
    for (int k = 0; k < count; ++k) change[k] = push[k] = R{};
    if (other.terms > 0) change_of_other<Basis, count>(lane, u, x, i, change);
    if (own.terms == 0) return;
    push_of_terms<Basis, count>(lane, u, x, i, push);
    TW_UNROLL
    for (int k = 0; k < count; ++k) change[k] += dt * S(0.25) * push[k];
  }

 private:
  template <class Basis, class Lane>
  TW_FN auto get(const Lane& lane, Row row, int i) const {
    return lane.load(vectors, width * Basis::dofs, row * Basis::dofs + i);
  }
  template <class Basis, class Lane, class R>
  TW_FN void put(const Lane& lane, Row row, int i, const R& x) const {
    lane.store(vectors, width * Basis::dofs, row * Basis::dofs + i, x);
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void before(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    constexpr int count = dofs_at_once<Basis>();
    R u[count];
    R x[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      u[k] = lane.gather(value, Basis::dofs, element, lane.all(i + k));
      x[k] = lane.gather(rate, Basis::dofs, element, lane.all(i + k));
    }
    R change[count];
    R push[count];
    look<Basis, count>(lane, i, u, x, change, push);
    if (own.terms > 0) {
      TW_UNROLL
      for (int k = 0; k < count; ++k) lane.scatter(rate, Basis::dofs, element, i + k, x[k] + push[k]);
    }
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      put<Basis>(lane, shift, i + k, change[k]);
      lane.scatter(value, Basis::dofs, element, i + k, u[k] + change[k]);
    }
  }

  /// g/a
  template <class Basis, int count, class Lane, class R>
  TW_FN void push_of_terms(const Lane& lane, const R* u, const R* x, int i, R* push) const {
    R earlier[count];
    R now[count] = {};   // sum P
    R next[count] = {};  // sum P+ at u+ = u
    TW_UNROLL
    for (int k = 0; k < count; ++k) earlier[k] = get<Basis>(lane, polarisation, i + k);
    for (int t = 0; t < own.terms; ++t) {
      R h[count];
      R state[count];
      advance_term<Basis, count>(lane, own, t, i, u, h, state);
      const S g = own.constants[term_constants * t + 4];
      TW_UNROLL
      for (int k = 0; k < count; ++k) {
        now[k] += state[k];
        next[k] += h[k] + g * u[k];
      }
    }
    const S per_sum = 1 / own_sum;
    const S per_step = 1 / dt;
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      push[k] = per_sum * (per_step * (now[k] - earlier[k] - next[k] + now[k]) - own_share * x[k]);
      put<Basis>(lane, polarisation, i + k, now[k]);
    }
  }

  /// (u - Q+ at zeta+ = 0)/4 + b (zeta/2 + zeta-/4) + dt x/4 - u
  template <class Basis, int count, class Lane, class R>
  TW_FN void change_of_other(const Lane& lane, const R* u, const R* x, int i, R* change) const {
    R earlier[count];
    R past[count] = {};
    TW_UNROLL
    for (int k = 0; k < count; ++k) earlier[k] = get<Basis>(lane, zeta_before, i + k);
    for (int t = 0; t < other.terms; ++t) {
      TW_UNROLL
      for (int k = 0; k < count; ++k)
        past[k] += lane.load(other.memory, 2 * other.terms * Basis::dofs, memory_row<Basis>(t, 0, i + k));
    }
    const S per_sum = 1 / other_sum;
    R zeta[count];
    R history[count] = {};
    TW_UNROLL
    for (int k = 0; k < count; ++k) zeta[k] = per_sum * (u[k] - past[k]);
    for (int t = 0; t < other.terms; ++t) {
      R h[count];
      R state[count];
      advance_term<Basis, count>(lane, other, t, i, zeta, h, state);
      TW_UNROLL
      for (int k = 0; k < count; ++k) history[k] += h[k];
    }
    TW_UNROLL
    for (int k = 0; k < count; ++k) {
      const R seen = (u[k] - history[k] + dt * x[k]) * S(0.25) + other_sum * (zeta[k] * S(0.5) + earlier[k] * S(0.25));
      put<Basis>(lane, zeta_before, i + k, zeta[k]);
      change[k] = seen - u[k];
    }
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void after(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    constexpr int count = dofs_at_once<Basis>();
    R u[count];
    TW_UNROLL
    for (int k = 0; k < count; ++k)
      u[k] = lane.gather(value, Basis::dofs, element, lane.all(i + k)) - get<Basis>(lane, shift, i + k);
    TW_UNROLL
    for (int k = 0; k < count; ++k) lane.scatter(value, Basis::dofs, element, i + k, u[k]);
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void begin(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i));
    const R before_u = u - dt * lane.gather(rate, Basis::dofs, element, lane.all(i));
    put<Basis>(lane, polarisation, i, R{});
    const R before_zeta = before_u / other_constant;
    put<Basis>(lane, zeta_before, i, before_zeta);
    forget<Basis>(lane, own, i, u);
    const R zeta = u / other_constant;
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
