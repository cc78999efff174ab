// The power that the upwind flux takes from the jumps at the faces of an element (theory/upwind#the-energy-of-jumps).
#pragma once

#include "kernels/element_block.hpp"
#include "kernels/face_components.hpp"

namespace tetrawave::kernels {

/// taken[element] += share sum_f c_e int |n x (o_e e+ - e)|^2 + c_h int |n x (o_h h+ - h)|^2.
template <class S>
struct UpwindJumps {
  using Scalar = S;
  Elements<S> elements;  ///< metric of the shape alone
  const S* electric = nullptr;
  const S* magnetic = nullptr;
  const std::int32_t* kinds = nullptr;  ///< 4 rows: kind of each face
  const S* factors = nullptr;           ///< o_e, c_e, o_h, c_h per kind
  S* taken = nullptr;                   ///< one row
  S share = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    R q[6];
    elements.metric.load(lane, q);
    const auto word = lane.load_integer(elements.word, 1, 0);
    R sum = R{};
    add_face<Basis, 0>(lane, word, q, sum);
    add_face<Basis, 1>(lane, word, q, sum);
    add_face<Basis, 2>(lane, word, q, sum);
    add_face<Basis, 3>(lane, word, q, sum);
    lane.store(taken, 1, 0, lane.load(taken, 1, 0) + share * sum);
  }

 private:
  template <class Basis, int f, class Lane, class Word, class R>
  TW_FN void add_face(const Lane& lane, const Word& word, const R* q, R& sum) const {
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto kind = lane.load_integer(kinds, 4, f) * 4;
    R g[3];
    face_metric<f>(lane, q, g);
    sum += square<Basis, f>(lane, neighbour, face, electric, kind, g);
    sum += square<Basis, f>(lane, neighbour, face, magnetic, kind + 2, g);
  }

  /// c int |n x (o u+ - u)|^2, o and c from `at` on.
  template <class Basis, int f, class Lane, class Integer, class Word, class Kind, class R>
  TW_FN R square(const Lane& lane, const Integer& neighbour, const Word& face, const S* u, const Kind& at,
                 const R* g) const {
    constexpr int nf = Basis::face_dofs;
    constexpr int m = Basis::face_modes;
    const R outer = lane.lookup(factors, at);
    R jump[nf];
    TW_UNROLL
    for (int k = 0; k < nf; ++k)
      jump[k] = outer * lane.gather(u, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face)) -
                lane.load(u, Basis::dofs, Basis::template on_face<f>(k));
    R along[2 * m];
    Basis::template face_components<S>(jump, along);
    stretch<m>(g, along, along);
    R dual[nf];
    Basis::template face_dual<S>(along, dual);
    R sum = R{};
    TW_UNROLL
    for (int k = 0; k < nf; ++k) sum += jump[k] * dual[k];
    return lane.lookup(factors, at + 1) * sum;
  }
};

}  // namespace tetrawave::kernels
