// One half step of DGTD-Central: volume term, central flux, inverse mass and update in one pass over the elements.
//
// With v the other field at the middle of the step (dissertation eq. 4.35-4.41, theory/central):
//   E:  M_e e' + B_e e =  (C h + sum_f 1/2 D_f (h+ - h)),     H:  M_h h' + B_h h = -(C e + sum_f 1/2 D_f (e+ - e))
//   u <- decay u + s gain M^-1 (C v + sum_f 1/2 D_f (v+ - v)),  s = sgn det J, gain < 0 for H.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/bernstein.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/spaces.hpp"
#include "kernels/traces.hpp"

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
    const Traces<Basis, Lane, S> traces(lane, elements, source, target);
    R own[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(source, Basis::dofs, i);
    const auto word = lane.load_integer(elements.word, 1, 0);
    R w[Basis::dofs];
    if constexpr (Basis::style == ProductStyle::sparse)
      find_curl<Basis, S>(own, w);
    else
      Basis::template curl<S>(own, w);
    fluxes<Basis>(lane, word, traces, own, w);
    update<Basis>(lane, word, w);
  }

  /// The same by a team of three threads an element, on GPUs: what they exchange, and how many they are.
  template <class Basis>
  requires(Basis::style == ProductStyle::sparse) TW_FN static constexpr int inputs() { return Basis::dofs; }
  static constexpr int team_size = 3;

  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    using R = typename Lane::Number;
    constexpr int m = Basis::modes;
    const auto word = lane.load_integer(elements.word, 1, 0);
    const int place = team.rank();
    R w[m];
    if (place == 0)
      find_component<Basis, 1>(lane, word, w);
    else if (place == 1)
      find_component<Basis, 2>(lane, word, w);
    else
      find_component<Basis, 3>(lane, word, w);
    TW_UNROLL
    for (int i = 0; i < m; ++i) team.put(place * m + i, w[i]);
    R old[m];
    TW_UNROLL
    for (int i = 0; i < m; ++i) old[i] = lane.load(target, Basis::dofs, 3 * i + place);
    R by[12];
    {
      R q[6];
      elements.metric.load(lane, q);
      weigh_place(q, place, by);
    }
    const auto material = word >> ElementWord::class_shift;
    const R keep = lane.lookup(decay, material);
    const R amount = lane.lookup(gain, material);
    const R step = lane.choose((word >> ElementWord::sign_shift) & 1, -amount, amount);
    team.sync();
    TW_UNROLL
    for (int i = 0; i < m; ++i)
      lane.store(target, Basis::dofs, 3 * i + place, keep * old[i] + step * change_at_place<Basis>(team, i, by, 0));
  }

  /// w += sum_f 1/2 D_f (v+ - v), in orthogonal modes.
  template <class Basis, class Lane, class R, class Word>
  TW_FN void fluxes(const Lane& lane, const Word& word, const Traces<Basis, Lane, S>& traces, const R* own,
                    R* w) const {
    flux<Basis, 0>(lane, word, traces, own, w);
    flux<Basis, 1>(lane, word, traces, own, w);
    flux<Basis, 2>(lane, word, traces, own, w);
    flux<Basis, 3>(lane, word, traces, own, w);
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
  /// On GPUs not taken from an earlier load.
  template <class Lane>
  TW_FN static auto load_again(const Lane& lane, const S* array, int rows, int row) {
    if constexpr (requires { lane.load_again(array, rows, row); })
      return lane.load_again(array, rows, row);
    else
      return lane.load(array, rows, row);
  }

  /// v+ - v in trace function k of face f.
  template <class Basis, int f, class Lane>
  struct Jump {
    using R = typename Lane::Number;
    const Lane& lane;
    const S* source;
    std::int32_t neighbour;
    std::uint32_t face;
    R factor;
    TW_FN R operator()(int k) const {
      return factor * lane.gather(source, Basis::dofs, neighbour, lane.byte(Basis::rows_of(k), face)) -
             load_again(lane, source, Basis::dofs, Basis::template on_face<f>(k));
    }
  };
  /// Contravariant component c of curl v + sum_f 1/2 n x (v+ - v) lifted.
  template <class Basis, int c, class Lane, class R>
  TW_FN void find_component(const Lane& lane, std::uint32_t word, R* w) const {
    {
      R own[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) own[i] = lane.load(source, Basis::dofs, i);
      Basis::template curl_component<c, S>(own, w);
    }
    add_face<Basis, 0, c>(lane, word, w);
    add_face<Basis, 1, c>(lane, word, w);
    add_face<Basis, 2, c>(lane, word, w);
    add_face<Basis, 3, c>(lane, word, w);
  }
  template <class Basis, int f, int c, class Lane, class R>
  TW_FN void add_face(const Lane& lane, std::uint32_t word, R* w) const {
    if constexpr (FaceShares<f, c>::any) {
      const Jump<Basis, f, Lane> jump{
          lane, source, lane.load_integer(elements.neighbour, 4, f), (word >> (3 * f)) & 7,
          lane.mirror_factor(mirror_code, (word >> (ElementWord::mirror_shift + 2 * f)) & 3)};
      lift_turned_component<Basis, f, c>(S(1.5), jump, w);
    }
  }

  /// u_i <- keep u_i + step change.
  template <class Basis, class Lane>
  struct Put {
    using R = typename Lane::Number;
    const Lane& lane;
    S* target;
    R keep;
    R step;
    TW_FN void operator()(int i, const R& change) const {
      const R old = load_again(lane, target, Basis::dofs, i);  // not early
      lane.store(target, Basis::dofs, i, keep * old + step * change);
    }
  };

  template <class Basis, int f, class Lane, class R, class Word>
  TW_FN void flux(const Lane& lane, const Word& word, const Traces<Basis, Lane, S>& traces, const R* own, R* w) const {
    const auto neighbour = lane.load_integer(elements.neighbour, 4, f);
    const auto face = (word >> (3 * f)) & 7;
    const auto mirror = (word >> (ElementWord::mirror_shift + 2 * f)) & 3;
    const R factor = lane.mirror_factor(mirror_code, mirror);
    constexpr bool forgets = Lane::holds_jumps && Basis::style == ProductStyle::sparse;
    constexpr bool again = forgets || Basis::style == ProductStyle::fused;
    if constexpr (forgets) lane.forget();
    R jump[Basis::face_dofs];
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const R outside = traces.template beyond<f>(neighbour, face, k);
      if constexpr (again)  // what is loaded again stands in no register meanwhile
        jump[k] = factor * outside - load_again(lane, source, Basis::dofs, Basis::template on_face<f>(k));
      else
        jump[k] = factor * outside - own[Basis::template on_face<f>(k)];
    }
    add_half_turned<Basis, f, S>(jump, w);
  }
};

template <class S>
struct TermsOf<Mixed3, CentralUpdate<S>> {
  using type = FusedMixed3;
};
template <class Basis, class S>
struct TermsOf<Basis, CentralUpdate<S>> : InBernsteinForm<Basis> {};

}  // namespace tetrawave::kernels
