// One half step with the element's own dense matrices: volume, flux, losses and walls in one pass over the elements.
//
// Columns of an element's matrix (schemes/stored/matrices.hpp): n dofs u of the target | n dofs v of the source | nf
// jumps of v through each face,
//   u <- A2 u + A1 v + sum_f P_f (factor v+ - v),
// in place. The matrix is read once and in the order of memory; the sums are in registers. Columns are a plain loop, so
// that code and compile time stay small.
#pragma once

#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// sum += column v; returns the next column.
template <class Basis, class S, class Lane, class R>
TW_FN const S* add_column(const Lane& lane, const S* column, const R& v, R* sum) {
  constexpr int n = Basis::dofs;
  R entry[n];
  TW_UNROLL
  for (int i = 0; i < n; ++i) entry[i] = lane.stream(column, i);
  TW_UNROLL
  for (int i = 0; i < n; ++i) sum[i] += entry[i] * v;
  return column + n * Lane::lanes;
}

/// Advances `target` by a half step; runs on any range of element blocks.
template <class S>
struct StoredUpdate {
  using Scalar = S;
  Elements<S> elements;       ///< neighbours and words; from the metric only the index of shared blocks
  const S* matrix = nullptr;  ///< n (2 n + 4 nf) rows: entry `column * n + row`; shared like the metric
  const S* source = nullptr;  ///< the other field, ghosts included
  S* target = nullptr;
  std::uint32_t mirror_code = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    R sum[Basis::dofs] = {};
    if constexpr (Lane::holds_jumps) {  // gathers first: their cache misses are met together, then the matrix streams
      R jump[4 * Basis::face_dofs];
      for (int f = 0; f < 4; ++f) find_jumps<Basis>(lane, f, jump + f * Basis::face_dofs);
      const S* column = volume<Basis>(lane, sum);
      TW_UNROLL_BY(2)
      for (int k = 0; k < 4 * Basis::face_dofs; ++k) column = add_column<Basis>(lane, column, jump[k], sum);
    } else {
      surface<Basis>(lane, volume<Basis>(lane, sum), sum);
    }
    store<Basis>(lane, sum);
  }

  template <class Basis, class Lane>
  TW_FN const S* first_column(const Lane& lane) const {
    return lane.place_of_shared(matrix, elements.metric.block, Basis::dofs * (2 * Basis::dofs + 4 * Basis::face_dofs));
  }

  /// sum += A2 u + A1 v; returns the first column of the faces.
  template <class Basis, class Lane, class R>
  TW_FN const S* volume(const Lane& lane, R* sum) const {
    const S* column = first_column<Basis>(lane);
    TW_UNROLL_BY(2)
    for (int j = 0; j < Basis::dofs; ++j)
      column = add_column<Basis>(lane, column, lane.load(target, Basis::dofs, j), sum);
    TW_UNROLL_BY(2)
    for (int j = 0; j < Basis::dofs; ++j)
      column = add_column<Basis>(lane, column, lane.load(source, Basis::dofs, j), sum);
    return column;
  }

  /// sum += sum_f P_f (factor v+ - v), face by face.
  template <class Basis, class Lane, class R>
  TW_FN void surface(const Lane& lane, const S* column, R* sum) const {
    TW_UNROLL_BY(1)
    for (int f = 0; f < 4; ++f) {
      R jump[Basis::face_dofs];
      find_jumps<Basis>(lane, f, jump);
      TW_UNROLL
      for (int k = 0; k < Basis::face_dofs; ++k) column = add_column<Basis>(lane, column, jump[k], sum);
    }
  }

  template <class Basis, class Lane, class R>
  TW_FN void store(const Lane& lane, const R* sum) const {
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) lane.store(target, Basis::dofs, i, sum[i]);
  }

 private:
  /// factor v+ - v on face f.
  template <class Basis, class Lane, class R>
  TW_FN void find_jumps(const Lane& lane, int f, R* jump) const {
    const auto word = lane.load_integer(elements.word, 1, 0);
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const R factor = lane.mirror_factor(mirror_code, (word >> (ElementWord::mirror_shift + 2 * f)) & 3);
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const std::uint64_t rows = Basis::rows_of(k);  // byte f: on face f
      const R outside = lane.gather(source, Basis::dofs, neighbour, lane.byte(rows, face));
      const R inside = lane.load(source, Basis::dofs, static_cast<int>((rows >> (8 * f)) & 255));
      jump[k] = factor * outside - inside;
    }
  }
};

}  // namespace tetrawave::kernels
