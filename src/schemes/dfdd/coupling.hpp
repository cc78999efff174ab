// The coupling of DFDD-ELD: rates of the neighbours through faces that have one, zero at walls.
#pragma once

#include "kernels/bernstein.hpp"
#include "kernels/element_block.hpp"
#include "kernels/traces.hpp"

namespace tetrawave::kernels {

template <class Basis, int f, class Lane, class S, class R, class Word>
TW_FN void add_neighbour(const Lane& lane, const Elements<S>& elements, const Traces<Basis, Lane, S>& traces,
                         const S* source, const Word& word, S own, R* w) {
  const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
  const auto face = (word >> (3 * f)) & 7;
  const auto wall = (word >> (ElementWord::mirror_shift + 2 * f)) & 3;
  const R factor = lane.choose(wall, R{}, R{} + 2);  // the terms hold D_f/2
  R trace[Basis::face_dofs];
  TW_UNROLL
  for (int k = 0; k < Basis::face_dofs; ++k) trace[k] = factor * traces.template beyond<f>(neighbour, face, k);
  if (own != 0) {
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k)
      trace[k] -= own * lane.load(source, Basis::dofs, Basis::template on_face<f>(k));
  }
  add_half_turned<Basis, f, S>(trace, w);
}

/// w += (6/d) T^-T sum_f D_f (v+ - own/2 v), without the sign of det J.
template <class Basis, class Lane, class S, class R, class Word>
TW_FN void add_neighbours(const Lane& lane, const Elements<S>& elements, const Traces<Basis, Lane, S>& traces,
                          const S* source, const Word& word, S own, R* w) {
  add_neighbour<Basis, 0>(lane, elements, traces, source, word, own, w);
  add_neighbour<Basis, 1>(lane, elements, traces, source, word, own, w);
  add_neighbour<Basis, 2>(lane, elements, traces, source, word, own, w);
  add_neighbour<Basis, 3>(lane, elements, traces, source, word, own, w);
}

}  // namespace tetrawave::kernels
