// DFDD-ELD in anisotropic media with losses or dispersion (theory/dispersion). The other law acts on the curl, not on
// the field, as a tensor does not commute with the curl: z with b z + sum Q(z) = curl u, along each axis, b the other
// constant. With
//   A x+ = A x + M g - dt C^T f + dt(...),   f = B^-1 (curl(u + dt x) - h)/4 + z/2 + z-/4,   B = b + sum g1,
// h the known part of the Q of the next step, all but the last bracket is added to the rate by dense matrices before
// the update, which is called with a zero field. All vectors are dofs: curls and their products with tensors are in the
// space.
#pragma once

#include "kernels/frame.hpp"
#include "terms/dispersion/kernel.hpp"

namespace tetrawave::kernels {

/// to = M^-1 int N . curl(value + advance rate) - minus, for the elements of a list.
template <class S>
struct CurlOfField {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  const S* frame = nullptr;               ///< frame_numbers rows
  Metric<S> metric;                       ///< of all elements, of the shape
  const S* value = nullptr;
  const S* rate = nullptr;
  S advance = 0;
  const S* minus = nullptr;  ///< `minus_rows` rows, from row `minus_first`; or null
  int minus_rows = 0;
  int minus_first = 0;
  S* to = nullptr;  ///< n rows of the list

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    R t[9];
    TW_UNROLL
    for (int k = 0; k < 9; ++k) t[k] = lane.load(frame, frame_numbers, k);
    const R sign = t[0] * (t[4] * t[8] - t[5] * t[7]) + t[1] * (t[5] * t[6] - t[3] * t[8]) +
                   t[2] * (t[3] * t[7] - t[4] * t[6]);  // det J is 1 or -1 in these units
    R w[Basis::dofs];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i)
        u[i] = lane.gather(value, Basis::dofs, own, lane.all(i)) +
               advance * lane.gather(rate, Basis::dofs, own, lane.all(i));
      Basis::template curl<S>(u, w);
    }
    R q[6];
    metric.gather(lane, own, q);
    R z[Basis::dofs];
    invert_mass<Basis, S>(q, w, z);
    Basis::template to_dofs<S>(z, w);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      R curl = sign * w[i];
      if (minus != nullptr) curl -= lane.load(minus, minus_rows, minus_first + i);
      lane.store(to, Basis::dofs, i, curl);
    }
  }
};

/// The two laws of such an element at each dof, around its update.
template <class S>
struct LawsOfRates {
  using Scalar = S;
  enum Phase { before, ready, after, advance, begin, begin_earlier };
  enum Row { polarisation, z_now, z_before, history, saved, rows };  ///< of n each
  PoleList<S> own;                                                   ///< states: h1, h2 of u
  PoleList<S> other;     ///< terms of the other material; states: h1, h2 of z
  S* vectors = nullptr;  ///< `rows` times n rows
  S* sums = nullptr;     ///< n rows: the projection
  S* right = nullptr;    ///< 2 n rows: -g, f
  S* value = nullptr;
  S* rate = nullptr;
  S own_share = 0;  ///< sum g1 of the own terms
  S dt = 0;
  int phase = before;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const auto element = lane.load_integer(own.element, 1, 0);
    for (int i = 0; i < Basis::dofs; ++i) {
      if (phase == before) prepare<Basis>(lane, element, i);
      if (phase == ready) {  // the sums are B^-1 (curl(u + dt x) - h)
        const int row = Basis::dofs + i;
        lane.store(right, 2 * Basis::dofs, row,
                   lane.load(right, 2 * Basis::dofs, row) + S(0.25) * lane.load(sums, Basis::dofs, i));
        lane.scatter(value, Basis::dofs, element, i, typename Lane::Number{});
      }
      if (phase == after)
        lane.scatter(value, Basis::dofs, element, i,
                     lane.gather(value, Basis::dofs, element, lane.all(i)) + get<Basis>(lane, saved, i));
      if (phase == advance) {  // the sums are z+ = B^-1 (curl u+ - h)
        const auto z = get<Basis>(lane, z_now, i);
        put<Basis>(lane, z_before, i, z);
        put<Basis>(lane, z_now, i, lane.load(sums, Basis::dofs, i));
      }
      if (phase == begin) forget_all<Basis>(lane, element, i);
      if (phase == begin_earlier) put<Basis>(lane, z_before, i, lane.load(sums, Basis::dofs, i));
    }
  }

 private:
  template <class Basis, class Lane>
  TW_FN auto get(const Lane& lane, Row row, int i) const {
    return lane.load(vectors, rows * Basis::dofs, row * Basis::dofs + i);
  }
  template <class Basis, class Lane, class R>
  TW_FN void put(const Lane& lane, Row row, int i, const R& x) const {
    lane.store(vectors, rows * Basis::dofs, row * Basis::dofs + i, x);
  }

  /// Advances the states of a list's terms at the value u: `now` is sum P, `past` the known part of sum P+.
  template <class Basis, class Lane, class R>
  TW_FN void step_terms(const Lane& lane, const PoleList<S>& list, int i, const R& u, R& now, R& past) const {
    const int count = 2 * list.terms * Basis::dofs;
    for (int t = 0; t < list.terms; ++t) {
      const S* c = list.constants + term_constants * t;
      const R x1 = lane.load(list.memory, count, memory_row<Basis>(t, 0, i)) + c[4] * u;
      const R x2 = lane.load(list.memory, count, memory_row<Basis>(t, 1, i)) + c[5] * u;
      const R h1 = c[0] * x1 + c[1] * x2 + c[4] * u;
      const R h2 = c[2] * x1 + c[3] * x2 + c[5] * u;
      now += x1;
      past += h1;
      lane.store(list.memory, count, memory_row<Basis>(t, 0, i), h1);
      lane.store(list.memory, count, memory_row<Basis>(t, 1, i), h2);
    }
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void prepare(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i));
    const R x = lane.gather(rate, Basis::dofs, element, lane.all(i));
    R now = R{};
    R past = R{};
    step_terms<Basis>(lane, own, i, u, now, past);
    const R at_same = past + own_share * u;  // sum P+ at u+ = u
    const R g = (now - get<Basis>(lane, polarisation, i) - at_same + now) / dt - own_share * x;
    put<Basis>(lane, polarisation, i, now);
    lane.store(right, 2 * Basis::dofs, i, -g);
    const R z = get<Basis>(lane, z_now, i);
    R unused = R{};
    R memory = R{};
    step_terms<Basis>(lane, other, i, z, unused, memory);
    put<Basis>(lane, history, i, memory);
    lane.store(right, 2 * Basis::dofs, Basis::dofs + i, S(0.5) * z + S(0.25) * get<Basis>(lane, z_before, i));
    put<Basis>(lane, saved, i, u);
  }

  /// P = Q = 0 at the present values; the sums are z.
  template <class Basis, class Lane, class Integer>
  TW_FN void forget_all(const Lane& lane, const Integer& element, int i) const {
    using R = typename Lane::Number;
    const R z = lane.load(sums, Basis::dofs, i);
    put<Basis>(lane, polarisation, i, R{});
    put<Basis>(lane, z_now, i, z);
    const R u = lane.gather(value, Basis::dofs, element, lane.all(i));
    forget<Basis>(lane, own, i, u);
    forget<Basis>(lane, other, i, z);
  }
  template <class Basis, class Lane, class R>
  TW_FN void forget(const Lane& lane, const PoleList<S>& list, int i, const R& u) const {
    const int count = 2 * list.terms * Basis::dofs;
    for (int t = 0; t < list.terms; ++t) {
      const S* c = list.constants + term_constants * t;
      const R h1 = -c[4] * u;
      const R h2 = -c[5] * u;
      lane.store(list.memory, count, memory_row<Basis>(t, 0, i), h1);
      lane.store(list.memory, count, memory_row<Basis>(t, 1, i), h2);
    }
  }
};

}  // namespace tetrawave::kernels
