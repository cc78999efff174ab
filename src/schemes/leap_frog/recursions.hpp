// Dispersive media by the published recursive convolutions (terms/dispersion/recursive_convolution.hpp,
// theory/dispersion), for comparison: one list of elements per medium. For every complex pole and dof, phi is stored,
// and the inputs of its next increment.
#pragma once

#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Numbers of one pole on the device.
inline constexpr int pole_constants = 5;

/// Poles of one law of one medium, and their part of an element's state: Re, Im of phi of each pole, dof by dof, then
/// one row of dofs for the caller.
template <class S>
struct Recursions {
  int poles = 0;
  const S* constants = nullptr;  ///< pole_constants per pole
  S* memory = nullptr;
  int rows = 0;   ///< of the state of an element
  int first = 0;  ///< of them, the first of this law

  /// The caller's row.
  template <class Basis>
  TW_FN int kept(int i) const {
    return first + 2 * poles * Basis::dofs + i;
  }
  template <class Basis, class Lane>
  TW_FN auto load_kept(const Lane& lane, int i) const {
    return lane.load(memory, rows, kept<Basis>(i));
  }
  template <class Basis, class Lane, class R>
  TW_FN void store_kept(const Lane& lane, int i, const R& value) const {
    lane.store(memory, rows, kept<Basis>(i), value);
  }

  /// phi <- exp(-b dt) phi + increment; returns sum Re(a d phi).
  template <class Basis, class Lane, class R>
  TW_FN R advance(const Lane& lane, int i, const R& increment) const {
    R sum = R{};
    for (int p = 0; p < poles; ++p) {
      const S* c = constants + pole_constants * p;
      const int row = first + 2 * p * Basis::dofs + i;
      const R re = lane.load(memory, rows, row);
      const R im = lane.load(memory, rows, row + Basis::dofs);
      const R new_re = c[0] * re - c[1] * im + increment;
      const R new_im = c[0] * im + c[1] * re;
      sum += c[2] * new_re - c[3] * new_im;
      lane.store(memory, rows, row, new_re);
      lane.store(memory, rows, row + Basis::dofs, new_im);
    }
    return sum;
  }
  /// phi <- 0.
  template <class Basis, class Lane, class R>
  TW_FN void clear(const Lane& lane, int i, const R& zero) const {
    for (int row = 0; row < 2 * poles; ++row) lane.store(memory, rows, first + row * Basis::dofs + i, zero);
  }
  /// sum Re(a c).
  TW_FN S present() const {
    S sum = 0;
    for (int p = 0; p < poles; ++p) sum += constants[pole_constants * p + 4];
    return sum;
  }
};

/// DGTD-Central, before its update (eq. 4.39): with a = c + sum Re(a c) + dt sigma/2 in the gain of the update,
///   a (u+ - u) = dt M^-1(...) - dt sum Re(a d phi) - dt sigma u,   dt phi+ = exp(-b dt) dt phi + (u - u before).
/// Or after an update that has left u in `old`.
template <class S>
struct RecursionsBeforeUpdate {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  Recursions<S> own;                      ///< kept: u before
  const S* old = nullptr;                 ///< u
  S* field = nullptr;
  S share = 0;         ///< 1/a
  S loss = 0;          ///< dt sigma
  bool begin = false;  ///< clears the history, and leaves the field unchanged

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto at = lane.load_integer(element, 1, 0);
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(old, Basis::dofs, at, lane.all(i));
      if (begin) {
        own.template clear<Basis>(lane, i, R{});
      } else {
        const R increment = u - own.template load_kept<Basis>(lane, i);
        const R sum = own.template advance<Basis>(lane, i, increment) + loss * u;
        lane.scatter(field, Basis::dofs, at, i, lane.gather(field, Basis::dofs, at, lane.all(i)) - share * sum);
      }
      own.template store_kept<Basis>(lane, i, u);
    }
  }
};

/// DFDD-ELD, before the update of a rate x (eq. 4.10-4.18): the vectors that [U] and [T] multiply,
///   g = dt ( sum Re(a d phi) + sigma x ),   s = sum ( Re(a c) y + Re(a d psi) ) + sigma' v,
/// y the rate of the other field v, both at the time of the equation, with the terms and the conductivity of its law.
template <class S>
struct RecursionsOfRates {
  using Scalar = S;
  const std::int32_t* element = nullptr;  ///< 1 row
  Recursions<S> own;                      ///< kept: x before
  Recursions<S> other;                    ///< kept: y before
  const S* rate = nullptr;                ///< x
  const S* other_rate = nullptr;          ///< y
  const S* other_value = nullptr;         ///< v half a step later
  S* vectors = nullptr;                   ///< 2 n rows: g | s
  S loss = 0;                             ///< dt sigma
  S other_loss = 0;                       ///< sigma'
  S half_step = 0;                        ///< dt/2
  bool begin = false;                     ///< forgets

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    const auto at = lane.load_integer(element, 1, 0);
    const S present = other.present();
    for (int i = 0; i < n; ++i) {
      const R x = lane.gather(rate, n, at, lane.all(i));
      const R y = lane.gather(other_rate, n, at, lane.all(i));
      if (begin) {
        own.template clear<Basis>(lane, i, R{});
        other.template clear<Basis>(lane, i, R{});
        other.template store_kept<Basis>(lane, i, R{});
      } else {
        const R v = lane.gather(other_value, n, at, lane.all(i)) - half_step * y;
        const R increment = x - own.template load_kept<Basis>(lane, i);
        const R before = other.template load_kept<Basis>(lane, i);
        const R g = own.template advance<Basis>(lane, i, increment) + loss * x;
        const R s = other.template advance<Basis>(lane, i, before) + present * y + other_loss * v;
        lane.store(vectors, 2 * n, i, g);
        lane.store(vectors, 2 * n, n + i, s);
        other.template store_kept<Basis>(lane, i, y);
      }
      own.template store_kept<Basis>(lane, i, x);
    }
  }
};

}  // namespace tetrawave::kernels
