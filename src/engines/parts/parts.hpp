// Half steps divided into several kernels, to time their parts: the functions of the fused kernels, storing
// intermediate results.
#pragma once

#include "schemes/central/update.hpp"
#include "schemes/stored/update.hpp"

namespace tetrawave::kernels {

/// w = C v, in orthogonal modes.
template <class S>
struct CentralVolume {
  using Scalar = S;
  CentralUpdate<S> whole;
  S* w = nullptr;  ///< n rows

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    typename Lane::Number own[Basis::dofs];
    typename Lane::Number change[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(whole.source, Basis::dofs, i);
    Basis::template curl<S>(own, change);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) lane.store(w, Basis::dofs, i, change[i]);
  }
};

/// w += sum_f 1/2 D_f (v+ - v).
template <class S>
struct CentralSurface {
  using Scalar = S;
  CentralUpdate<S> whole;
  S* w = nullptr;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const Traces<Basis, Lane, S> traces(lane, whole.elements, whole.source);
    typename Lane::Number own[Basis::dofs];
    typename Lane::Number change[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      own[i] = lane.load(whole.source, Basis::dofs, i);
      change[i] = lane.load(w, Basis::dofs, i);
    }
    whole.template fluxes<Basis>(lane, lane.load_integer(whole.elements.word, 1, 0), traces, own, change);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) lane.store(w, Basis::dofs, i, change[i]);
  }
};

/// u <- decay u + s gain M^-1 w.
template <class S>
struct CentralInverse {
  using Scalar = S;
  CentralUpdate<S> whole;
  const S* w = nullptr;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    typename Lane::Number change[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) change[i] = lane.load(w, Basis::dofs, i);
    whole.template update<Basis>(lane, lane.load_integer(whole.elements.word, 1, 0), change);
  }
};

/// u <- A2 u + A1 v.
template <class S>
struct StoredVolume {
  using Scalar = S;
  StoredUpdate<S> whole;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    typename Lane::Number sum[Basis::dofs] = {};
    whole.template volume<Basis>(lane, sum);
    whole.template store<Basis>(lane, sum);
  }
};

/// u += sum_f P_f (v+ - v).
template <class S>
struct StoredSurface {
  using Scalar = S;
  StoredUpdate<S> whole;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    typename Lane::Number sum[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) sum[i] = lane.load(whole.target, Basis::dofs, i);
    const S* column = whole.template first_column<Basis>(lane) + 2 * Basis::dofs * Basis::dofs * Lane::lanes;
    whole.template surface<Basis>(lane, column, sum);
    whole.template store<Basis>(lane, sum);
  }
};

}  // namespace tetrawave::kernels
