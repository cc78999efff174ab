// Energy inner products of two fields per element: u M v with the exact mass of the reference element.
#pragma once

#include "kernels/adjugate.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// value[element] = weight(class) * u . M v, M = sum_m d_m sum_ab q^ab U_am V_bm / 6, q^ab = adj(q)^ab / det q.
template <class S>
struct MassProduct {
  using Scalar = S;
  Elements<S> elements;
  const S* u = nullptr;
  const S* v = nullptr;
  const S* weight = nullptr;  ///< per material class
  S* value = nullptr;         ///< one row

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    R dofs[Basis::dofs];
    R cu[3 * m];
    R cv[3 * m];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) dofs[i] = lane.load(u, Basis::dofs, i);
    Basis::template components<S>(dofs, cu);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) dofs[i] = lane.load(v, Basis::dofs, i);
    Basis::template components<S>(dofs, cv);
    R q[6];
    elements.metric.load(lane, q);
    R adj[6];
    const R det = adjugate(q, adj);
    R sum = R{};
    TW_UNROLL
    for (int k = 0; k < m; ++k) {
      const R x = adj[0] * cv[k] + adj[1] * cv[m + k] + adj[2] * cv[2 * m + k];
      const R y = adj[1] * cv[k] + adj[3] * cv[m + k] + adj[4] * cv[2 * m + k];
      const R z = adj[2] * cv[k] + adj[4] * cv[m + k] + adj[5] * cv[2 * m + k];
      sum += S(Basis::mode_square(k)) * (cu[k] * x + cu[m + k] * y + cu[2 * m + k] * z);
    }
    const auto word = lane.load_integer(elements.word, 1, 0);
    const R scale = lane.lookup(weight, word >> ElementWord::class_shift);
    lane.store(value, 1, 0, scale * sum / (S(6) * det));
  }
};

/// y <- a x + b y on every coefficient.
template <class S>
struct Combine {
  using Scalar = S;
  const S* x = nullptr;
  S* y = nullptr;
  S a = 0;
  S b = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i)
      lane.store(y, Basis::dofs, i, a * lane.load(x, Basis::dofs, i) + b * lane.load(y, Basis::dofs, i));
  }
};

/// value[element] = weight(class) int curl u . curl u, u = value + advance rate, with the axes of the other material
/// (schemes/dfdd/update.hpp).
template <class S>
struct CurlEnergy {
  using Scalar = S;
  Elements<S> elements;  ///< metric of the other material
  const S* field = nullptr;
  const S* rate = nullptr;
  const S* weight = nullptr;  ///< per material class: 1 over the other constant
  S advance = 0;
  S* value = nullptr;  ///< one row

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int modes = Basis::curl_modes;
    R u[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i)
      u[i] = lane.load(field, Basis::dofs, i) + advance * lane.load(rate, Basis::dofs, i);
    R c[3 * modes];
    Basis::template curl_components<S>(u, c);
    R q[6];
    elements.metric.load(lane, q);
    R sum = R{};
    TW_UNROLL
    for (int j = 0; j < modes; ++j) {
      const R x = c[j];
      const R y = c[modes + j];
      const R z = c[2 * modes + j];
      const R diagonal = q[0] * x * x + q[3] * y * y + q[5] * z * z;
      const R mixed = q[1] * x * y + q[2] * x * z + q[4] * y * z;
      sum += S(Basis::mode_square(j)) * (diagonal + mixed + mixed);
    }
    const auto word = lane.load_integer(elements.word, 1, 0);
    const R scale = lane.lookup(weight, word >> ElementWord::class_shift);
    lane.store(value, 1, 0, scale * sum / S(6));
  }
};

}  // namespace tetrawave::kernels
