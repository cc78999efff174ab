// Half steps of DFDD-ELD and stages of DGTD-Upwind with the element's own dense matrices (schemes/stored/matrices.hpp).
// The columns of a matrix multiply first all dofs of the element, then the traces of its neighbours; a face without
// coupling has columns of zeros, and the element is its own neighbour there.
#pragma once

#include "kernels/element_block.hpp"
#include "schemes/stored/update.hpp"

namespace tetrawave::kernels {

/// sum += block u, u all dofs of the element; returns the next column.
template <class Basis, class S, class Lane, class R>
TW_FN const S* add_own_columns(const Lane& lane, const S* column, const S* u, R* sum) {
  TW_UNROLL_BY(2)
  for (int j = 0; j < Basis::dofs; ++j) column = add_column<Basis>(lane, column, lane.load(u, Basis::dofs, j), sum);
  return column;
}

/// sum += sum_f P_f u+; returns the next column.
template <class Basis, class S, class Lane, class R>
TW_FN const S* add_trace_columns(const Lane& lane, const Elements<S>& elements, const S* column, const S* u, R* sum) {
  const auto word = lane.load_integer(elements.word, 1, 0);
  TW_UNROLL_BY(1)
  for (int f = 0; f < 4; ++f) {
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    TW_UNROLL_BY(1)
    for (int k = 0; k < Basis::face_dofs; ++k)
      column = add_column<Basis>(lane, column,
                                 lane.gather(u, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face)), sum);
  }
  return column;
}

/// DFDD-ELD: x+ = K1 x + K2 e + sum_f P_f y+, e+ = e + dt x+ (dually for H).
template <class S>
struct StoredRate {
  using Scalar = S;
  Elements<S> elements;       ///< neighbours and words; from the metric only the index of shared blocks
  const S* matrix = nullptr;  ///< n (2 n + 4 nf) rows: entry `column * n + row`; shared like the metric
  const S* source = nullptr;  ///< the other field's rate, ghosts included
  S* rate = nullptr;
  S* value = nullptr;
  S dt = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    constexpr int n = Basis::dofs;
    typename Lane::Number sum[n] = {};
    const S* column = lane.place_of_shared(matrix, elements.metric.block, n * (2 * n + 4 * Basis::face_dofs));
    column = add_own_columns<Basis>(lane, column, static_cast<const S*>(rate), sum);
    column = add_own_columns<Basis>(lane, column, static_cast<const S*>(value), sum);
    add_trace_columns<Basis>(lane, elements, column, source, sum);
    TW_UNROLL
    for (int i = 0; i < n; ++i) {
      lane.store(rate, n, i, sum[i]);
      lane.store(value, n, i, lane.load(value, n, i) + dt * sum[i]);
    }
  }
};

/// DGTD-Upwind, one field: u_new = u + back (u - u_before) + b (V u + W v + sum_f (P_f u+ + Q_f v+)), as UpwindStage.
template <class S>
struct StoredStage {
  using Scalar = S;
  Elements<S> elements;       ///< neighbours and words; from the metric only the index of shared blocks
  const S* matrix = nullptr;  ///< n (2 n + 8 nf) rows: entry `column * n + row`; shared like the metric
  const S* own = nullptr;     ///< u, ghosts included
  const S* other = nullptr;   ///< v, ghosts included
  S* new_values = nullptr;    ///< before: u_before
  S back = 0;
  S b = 1;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    constexpr int n = Basis::dofs;
    using R = typename Lane::Number;
    R sum[n] = {};
    const S* column = lane.place_of_shared(matrix, elements.metric.block, n * (2 * n + 8 * Basis::face_dofs));
    column = add_own_columns<Basis>(lane, column, own, sum);
    column = add_own_columns<Basis>(lane, column, other, sum);
    column = add_trace_columns<Basis>(lane, elements, column, own, sum);
    add_trace_columns<Basis>(lane, elements, column, other, sum);
    TW_UNROLL
    for (int i = 0; i < n; ++i) {
      const R u = lane.load(own, n, i);
      lane.store(new_values, n, i, u + back * (u - lane.load(new_values, n, i)) + b * sum[i]);
    }
  }
};

}  // namespace tetrawave::kernels
