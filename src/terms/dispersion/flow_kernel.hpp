// Elements of dispersive media in steps of fourth order (theory/central).
#pragma once

#include "terms/dispersion/kernel.hpp"

namespace tetrawave::kernels {

/// DGTD-Central of fourth order, before an update of E by the exact step of the medium: (u, h) by a dense matrix, from
/// one array of h to another (terms/dispersion/flow_step.hpp).
template <class S>
struct PolesOfFlow {
  using Scalar = S;
  PoleList<S> list;           ///< `constants`: (1 + states)^2 by rows; `memory`: the new h
  const S* before = nullptr;  ///< the old h
  S* field = nullptr;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int count = dofs_at_once<Basis>();
    const auto own = lane.load_integer(list.element, 1, 0);
    const int states = 2 * list.terms;
    const int rows = states * Basis::dofs;
    for (int i = 0; i < Basis::dofs; i += count) {
      R u[count];
      TW_UNROLL
      for (int k = 0; k < count; ++k) u[k] = lane.gather(field, Basis::dofs, own, lane.all(i + k));
      for (int to = 0; to <= states; ++to) {
        const S* c = list.constants + to * (1 + states);
        R sum[count];
        TW_UNROLL
        for (int k = 0; k < count; ++k) sum[k] = c[0] * u[k];
        for (int s = 0; s < states; ++s) {
          if (c[1 + s] == S(0)) continue;
          TW_UNROLL
          for (int k = 0; k < count; ++k) sum[k] += c[1 + s] * lane.load(before, rows, s * Basis::dofs + i + k);
        }
        TW_UNROLL
        for (int k = 0; k < count; ++k) {
          if (to == 0)
            lane.scatter(field, Basis::dofs, own, i + k, sum[k]);
          else
            lane.store(list.memory, rows, (to - 1) * Basis::dofs + i + k, sum[k]);
        }
      }
    }
  }
};

}  // namespace tetrawave::kernels
