// Elements of absorbing layers in DFDD-ELD, before the update of a rate (theory/pml). With x the rate and c = curl e
// along the axes, the equation of E is that of schemes/dfdd/update.hpp with Lambda x in place of x and Lambda^-1 c in
// place of c; both laws by the trapezoidal rule. With the metrics of both fields weighted by the instantaneous part of
// Lambda (A), a force remains:
//   x <- x + A0^-1 ( -a int N . (2 (A - 1) x + push1 p1 + push2 p2) + a M_A jumps - dt C^T Q t ),
//   t = dt/4 A (H+ + 2 H + H-),   H = Lambda^-1 c - c/A, known one step ahead.
// Lambda^-1 is a product of sections out = g in + h, h+ = keep out - turn in, H its output for in = 0. A0^-1 as in
// schemes/dfdd/update.hpp:  K l = C (a v) + 4 a/dt^2 t,  A0^-1(...) = v - 1/a M^-1 C^T l.
#pragma once

#include "schemes/dfdd/update.hpp"
#include "terms/pml/kernel.hpp"

namespace tetrawave::kernels {

template <class S>
struct LayersOfRates {
  using Scalar = S;
  LayerList<S> list;            ///< of the rate, law and states as in LayersBeforeUpdate
  int sections = 1;             ///< of the curl's law
  const S* curl_law = nullptr;  ///< curl_law_numbers rows
  S* curl_memory = nullptr;     ///< 3 (sections + 1) curl_modes rows: h of each section, the last H
  Metric<S> metric;             ///< of all elements, of this field's material
  Metric<S> curl_metric;        ///< of the other one's
  const S* inverse = nullptr;   ///< of DfddInverse, for spaces that store it
  const S* value = nullptr;
  S* rate = nullptr;
  bool begin = false;        ///< sets the states for auxiliary variables of zero and leaves the rate unchanged
  const S* jumps = nullptr;  ///< n rows: of the rate (terms/pml/jumps.hpp), or null

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int m = 3 * Basis::curl_modes;
    const auto own = lane.load_integer(list.element, 1, 0);
    ElementFrame<Lane> frame;
    frame.load(lane, list.frame);
    R l[m];
    push_curl<Basis>(lane, own, frame, l);
    R loss[Basis::dofs];
    push_rate<Basis>(lane, own, frame, loss);
    if (begin) return;
    if (jumps != nullptr) {
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) loss[i] -= lane.load(jumps, Basis::dofs, i);
    }
    R q[6];
    metric.gather(lane, own, q);
    const MassInverse<Basis, S, Lane> mass(q);
    R change[Basis::dofs];
    if constexpr (sums_series<Basis>())
      change_by_series<Basis>(lane, own, q, loss, l, change);
    else if constexpr (holds_inverse<Basis>())
      change_held<Basis>(lane, own, mass, loss, l, change);
    else
      change_made<Basis>(lane, own, mass, loss, l, change);
    const R share = element_number(lane, 1);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i)
      lane.scatter(rate, Basis::dofs, own, i,
                   lane.gather(rate, Basis::dofs, own, lane.all(i)) - loss[i] - share * change[i]);
  }

 private:
  template <class Lane>
  TW_FN auto constant(const Lane& lane, int row, int axis) const {
    return lane.load(curl_law, curl_law_numbers(sections), 3 * row + axis);
  }
  /// a, 1/a, 4 a b/dt^2.
  template <class Lane>
  TW_FN auto element_number(const Lane& lane, int which) const {
    return constant(lane, 3 * sections + 1, which);
  }

  /// l = 4 a/dt^2 t.
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void push_curl(const Lane& lane, const Integer& own, const ElementFrame<Lane>& frame, R* l) const {
    constexpr int modes = Basis::curl_modes;
    R c[3 * modes];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(value, Basis::dofs, own, lane.all(i));
      Basis::template curl_components<S>(u, c);
    }
    TW_UNROLL
    for (int i = 0; i < 3 * modes; ++i) l[i] = R{};
    for (int axis = 0; axis < 3; ++axis) {
      const R share = constant(lane, 3 * sections, axis);
      for (int k = 0; k < modes; ++k) {
        const R along = frame.t[axis] * c[k] + frame.t[3 + axis] * c[modes + k] + frame.t[6 + axis] * c[2 * modes + k];
        const R t = share * advance<modes>(lane, axis, k, along);
        l[k] += frame.g[axis] * t;
        l[modes + k] += frame.g[3 + axis] * t;
        l[2 * modes + k] += frame.g[6 + axis] * t;
      }
    }
  }

  /// H+ + 2 H + H- of a coefficient of the curl along an axis.
  template <int modes, class Lane, class R>
  TW_FN R advance(const Lane& lane, int axis, int k, const R& value_now) const {
    const int rows = 3 * (sections + 1) * modes;
    R input = value_now;
    R now = R{};
    R next = R{};
    for (int s = 0; s < sections; ++s) {
      const int row = (3 * s + axis) * modes + k;
      const R g = constant(lane, 3 * s, axis);
      if (begin) {
        const R h = input - g * input;  // the row gives its input
        now = g * now + h;
        lane.store(curl_memory, rows, row, h);
        continue;
      }
      const R h = lane.load(curl_memory, rows, row);
      const R output = g * input + h;
      const R h_next = constant(lane, 3 * s + 1, axis) * output - constant(lane, 3 * s + 2, axis) * input;
      lane.store(curl_memory, rows, row, h_next);
      now = g * now + h;
      next = g * next + h_next;
      input = output;
    }
    const int last = (3 * sections + axis) * modes + k;
    const R before = lane.load(curl_memory, rows, last);
    lane.store(curl_memory, rows, last, now);
    return next + now + now + before;
  }

  /// M_A^-1 int N . ( 2 (A - 1) x + push1 p1 + push2 p2 ).
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void push_rate(const Lane& lane, const Integer& own, const ElementFrame<Lane>& frame, R* loss) const {
    constexpr int m = Basis::modes;
    R c[3 * m];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.gather(rate, Basis::dofs, own, lane.all(i));
      Basis::template components<S>(u, c);
    }
    R weight[3];
    FrameProjection<Basis, S, Lane> projection;
    TW_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      weight[axis] = list.constant(lane, 0, axis);
      const R two = list.constant(lane, 1, axis);
      TW_UNROLL_BY(1)
      for (int k = 0; k < m; ++k) {
        const R x = frame.template along<m>(c, axis, k);
        projection.add(frame, weight[axis], axis, k, two * x + advance_layer<m>(lane, list, begin, axis, k, x));
      }
    }
    projection.finish(frame, weight, loss);
  }

  /// change = M^-1 C^T K^-1 ( l - a C loss ).
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void change_made(const Lane& lane, const Integer& own, const MassInverse<Basis, S, Lane>& mass, const R* loss,
                         R* l, R* change) const {
    constexpr int m = 3 * Basis::curl_modes;
    const R a = element_number(lane, 0);
    {
      R turned[m];
      Basis::template curl_components<S>(loss, turned);
      TW_UNROLL
      for (int i = 0; i < m; ++i) l[i] -= a * turned[i];
    }
    R p[6];
    curl_metric.gather(lane, own, p);
    R k[m * (m + 1) / 2] = {};
    make_curl_matrix<Basis, S, Lane>(mass, p, element_number(lane, 2), k);
    R solved[m];
    solve_packed<m>(k, R{} + 1, l, solved);
    R back[Basis::dofs];
    Basis::template curl_transposed<S>(solved, back);
    mass.template apply<S>(back, change);
  }

  /// The same by the series: K = 6 ( kappa p^-1 + C q C^T ) in orthonormal polynomials.
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void change_by_series(const Lane& lane, const Integer& own, const R* q, const R* loss, const R* l,
                              R* change) const {
    using Terms = SeriesFull3;
    using Series = CurlSeries<Terms, S, Lane>;
    constexpr int modes = Series::modes;
    LocalNumbers<Series::size, R> g;
    {
      const R a = element_number(lane, 0);
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = R{} - a * loss[i];
      find_low_curl<Terms, S>(u, g.numbers);
      R f[Series::size];
      Terms::template of_modes<S>(l, f);
      Terms::template of_modes<S>(l + modes, f + modes);
      Terms::template of_modes<S>(l + 2 * modes, f + 2 * modes);
      turn_vector<S, modes>(f);
      TW_UNROLL
      for (int i = 0; i < Series::size; ++i) g.numbers[i] += f[i];
    }
    R p[6];
    curl_metric.gather(lane, own, p);
    const R ratio = lane.gather(inverse, 1, lane.shared(metric.block, own), lane.all(0));
    const Series series(q, p, element_number(lane, 2), ratio);
    multiply_vectors<Series::modes>(series.p, g.numbers);
    R h[Series::size];
    series.solve(lane, g, 0, h);
    R w[Basis::dofs];
    find_transposed_curl<Terms, S>(h, w);
    to_change<Terms, S>(q, w, change);
  }

  /// The same with the stored form of K^-1, which applies to curls: with g = M^-1 C^T Q l / (4 a b/dt^2) it is g - M^-1
  /// C^T K^-1 C ( g + a loss ).
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void change_held(const Lane& lane, const Integer& own, const MassInverse<Basis, S, Lane>& mass, const R* loss,
                         R* l, R* change) const {
    using Held = HeldInverse<Basis, S>;
    constexpr int modes = Basis::curl_modes;
    R p[6];
    curl_metric.gather(lane, own, p);
    const R share = reciprocal(element_number(lane, 2));
    TW_UNROLL_BY(1)
    for (int k = 0; k < modes; ++k) {
      R v[3] = {l[k], l[modes + k], l[2 * modes + k]};
      multiply_symmetric(p, v);
      TW_UNROLL
      for (int b = 0; b < 3; ++b) l[b * modes + k] = S(Basis::mode_square(k) / 6) * share * v[b];
    }
    R back[Basis::dofs];
    Basis::template curl_transposed<S>(l, back);
    mass.template apply<S>(back, change);
    const R a = element_number(lane, 0);
    R u[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) u[i] = change[i] + a * loss[i];
    R f[Held::size];
    Basis::template independent_curl<S>(u, f);
    R held[Held::rows];
    const auto place = lane.shared(metric.block, own);
    TW_UNROLL_BY(1)
    for (int i = 0; i < Held::rows; ++i) held[i] = lane.gather(inverse, Held::rows, place, lane.all(i));
    R solved[Held::size];
    Held::apply(
        lane, [&](int row) { return held[row]; }, f, solved);
    Basis::template independent_curl_transposed<S>(solved, back);
    mass.template apply<S>(back, u);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) change[i] -= u[i];
  }
};

}  // namespace tetrawave::kernels
