// One half step of DGTD-Central: volume term, central flux, inverse mass and update in one pass over the elements.
//
// With v the other field at the middle of the step (dissertation eq. 4.35-4.41, theory/central):
//   E:  M_e e' + B_e e =  (C h + sum_f 1/2 D_f (h+ - h)),     H:  M_h h' + B_h h = -(C e + sum_f 1/2 D_f (e+ - e))
//   u <- decay u + s gain M^-1 (C v + sum_f 1/2 D_f (v+ - v)),  s = sgn det J, gain < 0 for H.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"

namespace tetrawave::kernels {

/// Advances `target` by a half step; runs on any range of element blocks.
template <class S>
struct CentralUpdate {
  using Scalar = S;
  Elements<S> elements;
  const S* source = nullptr;  ///< the other field, ghosts included
  S* target = nullptr;
  const S* decay = nullptr;  ///< per material class: (1 - dt sigma/2 eps)/(1 + dt sigma/2 eps)
  const S* gain = nullptr;   ///< per material class: +-(dt/eps)/(1 + dt sigma/2 eps)
  std::uint32_t mirror_code = 0;

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    elements.fetch(lane);
    lane.fetch(source, Basis::dofs);
    lane.fetch(target, Basis::dofs);
    R own[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(source, Basis::dofs, i);
    const auto word = lane.load_integer(elements.word, 1, 0);
    R w[Basis::dofs];
    Basis::template curl<S>(own, w);
    fluxes<Basis>(lane, word, own, w);
    update<Basis>(lane, word, w);
  }

  /// w += sum_f 1/2 D_f (v+ - v), in orthogonal modes.
  template <class Basis, class Lane, class R, class Word>
  TW_FN void fluxes(const Lane& lane, const Word& word, const R* own, R* w) const {
    flux<Basis, 0>(lane, word, own, w);
    flux<Basis, 1>(lane, word, own, w);
    flux<Basis, 2>(lane, word, own, w);
    flux<Basis, 3>(lane, word, own, w);
  }

  /// u <- decay u + s gain M^-1 w.
  template <class Basis, class Lane, class R, class Word>
  TW_FN void update(const Lane& lane, const Word& word, const R* w) const {
    R q[6];
    elements.metric.load(lane, q);
    R z[Basis::dofs];
    invert_mass<Basis, S>(q, w, z);
    const auto material = word >> ElementWord::class_shift;
    const R keep = lane.lookup(decay, material);
    const R amount = lane.lookup(gain, material);
    const R step = lane.choose((word >> ElementWord::sign_shift) & 1, -amount, amount);
    if constexpr (Basis::style == ProductStyle::fused) {
      Basis::template put_dofs<S>(z, Put<Basis, Lane>{lane, target, keep, step});
    } else {
      R change[Basis::dofs];
      Basis::template to_dofs<S>(z, change);
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) {
        const R old = lane.load(target, Basis::dofs, i);
        lane.store(target, Basis::dofs, i, keep * old + step * change[i]);
      }
    }
  }

 private:
  /// u_i <- keep u_i + step change.
  template <class Basis, class Lane>
  struct Put {
    using R = typename Lane::Number;
    const Lane& lane;
    S* target;
    R keep;
    R step;
    TW_FN void operator()(int i, const R& change) const {
      const R old = lane.load_again(target, Basis::dofs, i);  // not early
      lane.store(target, Basis::dofs, i, keep * old + step * change);
    }
  };

  template <class Basis, int f, class Lane, class R, class Word>
  TW_FN void flux(const Lane& lane, const Word& word, const R* own, R* w) const {
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto mirror = (word >> (ElementWord::mirror_shift + 2 * f)) & 3;
    const R factor = lane.mirror_factor(mirror_code, mirror);
    R jump[Basis::face_dofs];
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const R outside = lane.gather(source, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face));
      if constexpr (Basis::style == ProductStyle::fused)  // what is loaded again stands in no register meanwhile
        jump[k] = factor * outside - lane.load_again(source, Basis::dofs, Basis::template on_face<f>(k));
      else
        jump[k] = factor * outside - own[Basis::template on_face<f>(k)];
    }
    if constexpr (f == 0) Basis::template flux0<S>(jump, w);
    if constexpr (f == 1) Basis::template flux1<S>(jump, w);
    if constexpr (f == 2) Basis::template flux2<S>(jump, w);
    if constexpr (f == 3) Basis::template flux3<S>(jump, w);
  }
};

template <class S>
struct TermsOf<Mixed3, CentralUpdate<S>> {
  using type = FusedMixed3;
};
template <class S>
struct TermsOf<Full3, CentralUpdate<S>> {
  using type = FusedFull3;
};

}  // namespace tetrawave::kernels
