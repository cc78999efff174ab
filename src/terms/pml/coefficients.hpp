// The stretch of absorbing layers as numbers per element (THEORY.md, absorbing layers).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace tetrawave::schemes {

/// What an element of a layer stretches its coordinates with: s_i = 1 + sigma_i/(s + alpha), all in 1/m.
struct LayerStretch {
  Vec3 sigma{};
  double alpha = 0;
  double loss = 0;  ///< conductivity of the medium over its constant
};

/// (s + loss) s_j s_k/s_i, i, j, k different, which stands before the component i of a field, is
///   s + rate + residues[0]/(s + poles[0]) + residues[1]/((s + poles[0])(s + poles[1])).
struct LayerTerm {
  double rate = 0;
  std::array<double, 2> residues{};  ///< the second is 0 where one axis alone is stretched
  std::array<double, 2> poles{};
};
[[nodiscard]] std::array<LayerTerm, 3> layer_terms(const LayerStretch& stretch);

/// By the trapezoidal rule, with p_1 = h_1 + u, p_2 = h_2 + p_1:
///   axis u+ = (2 - axis) u - push_1 p_1 - push_2 p_2 + ...,   h_1+ = keep_1 p_1 + u,   h_2+ = keep_2 p_2 + p_1.
struct LayerStep {
  double axis = 1;  ///< what the mass is weighted with along this axis
  std::array<double, 2> keep{};
  std::array<double, 2> push{};
};
[[nodiscard]] LayerStep layer_step(const LayerTerm& term, double dt_m);

/// A factor (s + n)/(s + d) by the trapezoidal rule: out = gain in + h, h+ = keep out - turn in.
struct LayerSection {
  double gain = 1;
  double keep = 1;
  double turn = 1;
};
/// The factors of 1/Lambda_i s/(s + loss) = (s + beta_i)/(s + beta_j) (s + alpha)/(s + beta_k) s/(s + loss); the second
/// is 1 where one axis alone is stretched, the third without a loss.
[[nodiscard]] std::array<LayerSection, 3> inverse_sections(const LayerStretch& stretch, std::size_t axis, double dt_m);

/// Largest sigma [1/m] of a layer of this thickness whose sigma rises with the cube of the depth, and which returns
/// `reflection` of the amplitude of a wave that meets it at right angles, metal behind it: exp(-2 int sigma).
[[nodiscard]] double largest_rate_per_m(double reflection, double thickness_m);

/// alpha [1/m] of layers of this thickness: they hold static fields, and absorb waves up to some ten times as long.
[[nodiscard]] double static_rate_per_m(double thickness_m);

/// The share of the largest rate at a depth in parts of the thickness; with `cells` > 0 its mean over that one of so
/// many equal cells in which the depth lies.
[[nodiscard]] double layer_profile(double depth, std::int64_t cells);

/// How much of the strength of layers' brakes an element asks for whose extent through the layer is so many times its
/// longest edge along it: from 0 to 1 where it is flat (THEORY.md, absorbing layers).
[[nodiscard]] double brake_share(double flatness);

/// How much of the brake on the component across a layer the other components have, 0 to 1.
[[nodiscard]] double brake_along(Scheme scheme, Space space);

/// Factor of the jump of E or H, times eps0 c0 or mu0 c0, of the whole brake between media of these relative
/// impedances: a quarter of the upwind flux's, half and more in DFDD-ELD, whose coupling is twice as strong.
[[nodiscard]] double brake_strength(Scheme scheme, Space space, bool electric, double impedance, double other);

/// What a march with brakes keeps of the step that is stable without.
[[nodiscard]] double braked_share_of_step(Space space);

}  // namespace tetrawave::schemes
