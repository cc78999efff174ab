// One half step with the element's own dense matrices: volume, flux, losses and walls in one pass over the elements.
//
// Columns of an element's matrix (march/stored_matrices.hpp): n dofs u of the target | n dofs v of the source | nf
// jumps of v through each face,
//   u <- A2 u + A1 v + sum_f P_f (factor v+ - v),
// in place. The matrix is read once and in the order of memory; the sums stand in registers. Columns are a plain loop,
// so that code and compile time stay small.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Advances `target` by a half step; runs on any range of element blocks.
template <class S>
struct StoredUpdate {
  using Scalar = S;
  Elements<S> elements;       ///< neighbours and words; the metric is not used
  const S* matrix = nullptr;  ///< n (2 n + 4 nf) rows: entry `column * n + row`
  const S* source = nullptr;  ///< the other field, ghosts included
  S* target = nullptr;
  std::uint32_t mirror_code = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    constexpr int n = Basis::dofs;
    typename Lane::Number sum[n] = {};
    const S* column = lane.place_of(matrix, n * (2 * n + 4 * Basis::face_dofs), 0);
    TW_UNROLL_BY(2)
    for (int j = 0; j < n; ++j) column = add_column<Basis>(lane, column, lane.load(target, n, j), sum);
    TW_UNROLL_BY(2)
    for (int j = 0; j < n; ++j) column = add_column<Basis>(lane, column, lane.load(source, n, j), sum);
    const auto word = lane.load_integer(elements.word, 1, 0);
    TW_UNROLL_BY(1)
    for (int f = 0; f < 4; ++f) column = add_face<Basis>(lane, word, f, column, sum);
    TW_UNROLL
    for (int i = 0; i < n; ++i) lane.store(target, n, i, sum[i]);
  }

 private:
  /// sum += column v; returns the next column.
  template <class Basis, class Lane, class R>
  TW_FN const S* add_column(const Lane& lane, const S* column, const R& v, R* sum) const {
    constexpr int n = Basis::dofs;
    R entry[n];
    TW_UNROLL
    for (int i = 0; i < n; ++i) entry[i] = lane.stream(column, i);
    TW_UNROLL
    for (int i = 0; i < n; ++i) sum[i] += entry[i] * v;
    return column + n * Lane::lanes;
  }

  template <class Basis, class Lane, class R, class Word>
  TW_FN const S* add_face(const Lane& lane, const Word& word, int f, const S* column, R* sum) const {
    constexpr int n = Basis::dofs;
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const R factor = lane.mirror_factor(mirror_code, (word >> (ElementWord::mirror_shift + 2 * f)) & 3);
    R jump[Basis::face_dofs];
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const std::uint64_t rows = Basis::rows_of(k);  // byte f: on face f
      const R outside = lane.gather(source, n, neighbour, lane.byte(rows, face));
      const R inside = lane.load(source, n, static_cast<int>((rows >> (8 * f)) & 255));
      jump[k] = factor * outside - inside;
    }
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) column = add_column<Basis>(lane, column, jump[k], sum);
    return column;
  }
};

}  // namespace tetrawave::kernels
