// Elements of a list by their components along x, y, z: their edges and gradients, and the projection of a field given
// along the axes. Used by absorbing layers and by anisotropic media with losses or dispersion.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"

namespace tetrawave::kernels {

/// Edges t_a of an element of a list (a * 3 + axis) in a unit of length in which |det J| = 1.
inline constexpr int frame_numbers = 9;

/// An element's frame: its edges t_a and gradients g_a = grad L_a along the axes, |det J| = 1.
template <class Lane>
struct ElementFrame {
  using R = typename Lane::Number;
  R t[9];
  R g[9];

  /// `frame`: of the elements of a list, frame_numbers rows.
  template <class S>
  TW_FN void load(const Lane& lane, const S* frame) {
    TW_UNROLL
    for (int k = 0; k < 9; ++k) t[k] = lane.load(frame, frame_numbers, k);
    turn(t + 3, t + 6, g);
    turn(t + 6, t, g + 3);
    turn(t, t + 3, g + 6);
    const R det = t[0] * g[0] + t[1] * g[1] + t[2] * g[2];
    TW_UNROLL
    for (int k = 0; k < 9; ++k) g[k] /= det;
  }
  /// Component along an axis of the field whose covariant coefficients are c, for polynomial k of m.
  template <int m>
  TW_FN R along(const R* c, int axis, int k) const {
    return g[axis] * c[k] + g[3 + axis] * c[m + k] + g[6 + axis] * c[2 * m + k];
  }

 private:
  TW_FN static void turn(const R* a, const R* b, R* c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
  }
};

/// The dofs of the projection M_A^-1 int N . f, f given along the axes axis by axis, M_A weighted with `weight`.
template <class Basis, class S, class Lane>
class FrameProjection {
 public:
  using R = typename Lane::Number;
  /// Adds the coefficient of polynomial k along an axis.
  TW_FN void add(const ElementFrame<Lane>& frame, const R& weight, int axis, int k, const R& f) {
    constexpr int m = Basis::modes;
    if constexpr (Basis::top == 0) {
      const R share = f / weight;
      TW_UNROLL
      for (int a = 0; a < 3; ++a) sum_[a * m + k] += frame.t[3 * a + axis] * share;
    } else {
      TW_UNROLL
      for (int a = 0; a < 3; ++a) sum_[a * m + k] += frame.g[3 * a + axis] * f;
    }
  }
  TW_FN void finish(const ElementFrame<Lane>& frame, const R* weight, R* dofs) const {
    if constexpr (Basis::top == 0) {
      Basis::template to_dofs<S>(sum_, dofs);
    } else {
      constexpr int m = Basis::modes;
      constexpr int low = Basis::low_modes;
      R w[Basis::dofs];
      TW_UNROLL
      for (int a = 0; a < 3; ++a) {
        TW_UNROLL
        for (int k = 0; k < low; ++k) w[a * low + k] = sum_[a * m + k];
      }
      Basis::template top_dual<S>(sum_, w + 3 * low);
      TW_UNROLL
      for (int k = 3 * low; k < Basis::dofs; ++k) w[k] *= S(1. / 6);
      R q[6];
      metric(frame, weight, q);
      R z[Basis::dofs];
      invert_mass<Basis, S>(q, w, z);
      Basis::template to_dofs<S>(z, dofs);
    }
  }

 private:
  /// q_ab = sum_i t_a,i t_b,i/weight_i
  TW_FN static void metric(const ElementFrame<Lane>& frame, const R* weight, R* q) {
    constexpr int pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    TW_UNROLL
    for (int p = 0; p < 6; ++p) {
      q[p] = R{};
      TW_UNROLL
      for (int i = 0; i < 3; ++i) q[p] += frame.t[3 * pairs[p][0] + i] * frame.t[3 * pairs[p][1] + i] / weight[i];
    }
  }

  R sum_[3 * Basis::modes] = {};
};

}  // namespace tetrawave::kernels
