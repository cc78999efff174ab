// Anisotropic elements with losses or dispersion: sigma M e is not proportional to the mass M_A weighted along the
// axes, and the sums of the list kernels of terms/dispersion/kernel.hpp are applied by M_A^-1 M (theory/dispersion). In
// the full spaces that is 1/A along each axis, at every point; in the mixed ones its projection.
#pragma once

#include "kernels/frame.hpp"

namespace tetrawave::kernels {

/// to = M_A^-1 M from, for the elements of a list in their order.
template <class S>
struct AxesProjection {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  const S* frame = nullptr;               ///< frame_numbers rows (kernels/frame.hpp)
  const S* from = nullptr;                ///< n rows
  S* field = nullptr;                     ///< of all elements: `share` times it is subtracted from it; or null
  S* to = nullptr;                        ///< without `field`: n rows of the list, may be `from`
  S share = 1;
  S weight[3] = {1, 1, 1};  ///< A

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    R change[Basis::dofs];
    project<Basis>(lane, change);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      if (field == nullptr) {
        lane.store(to, Basis::dofs, i, change[i]);
        continue;
      }
      lane.scatter(field, Basis::dofs, own, i, lane.gather(field, Basis::dofs, own, lane.all(i)) - share * change[i]);
    }
  }

 private:
  template <class Basis, class Lane, class R>
  TW_FN void project(const Lane& lane, R* change) const {
    constexpr int m = Basis::modes;
    R c[3 * m];
    {
      R u[Basis::dofs];
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i) u[i] = lane.load(from, Basis::dofs, i);
      Basis::template components<S>(u, c);
    }
    ElementFrame<Lane> given;
    given.load(lane, frame);
    FrameProjection<Basis, S, Lane> sum;
    const R along[3] = {R{} + weight[0], R{} + weight[1], R{} + weight[2]};
    TW_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      TW_UNROLL_IF(Basis::style != ProductStyle::rolled)
      for (int k = 0; k < m; ++k) sum.add(given, along[axis], axis, k, given.template along<m>(c, axis, k));
    }
    sum.finish(given, along, change);
  }
};

}  // namespace tetrawave::kernels
