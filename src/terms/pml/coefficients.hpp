// Coefficients of absorbing layers per element (theory/pml).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace tetrawave::schemes {

/// The coordinate stretch of an element of a layer: s_i = 1 + sigma_i/(s + alpha), all in 1/m.
struct LayerStretch {
  Vec3 sigma{};
  double alpha = 0;
  double loss = 0;  ///< conductivity of the medium over its constant
};

/// (s + loss) s_j s_k/s_i, i, j, k different, the factor of component i of a field, is
///   s + rate + residues[0]/(s + poles[0]) + residues[1]/((s + poles[0])(s + poles[1])).
struct LayerTerm {
  double rate = 0;
  std::array<double, 2> residues{};  ///< the second is 0 if only one axis is stretched
  std::array<double, 2> poles{};
};
[[nodiscard]] std::array<LayerTerm, 3> layer_terms(const LayerStretch& stretch);

/// By the trapezoidal rule, with p_1 = h_1 + u, p_2 = h_2 + p_1:
///   axis u+ = (2 - axis) u - push_1 p_1 - push_2 p_2 + ...,   h_1+ = keep_1 p_1 + u,   h_2+ = keep_2 p_2 + p_1.
struct LayerStep {
  double axis = 1;  ///< weight of the mass along this axis
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
/// is 1 if only one axis is stretched, the third without a loss.
[[nodiscard]] std::array<LayerSection, 3> inverse_sections(const LayerStretch& stretch, std::size_t axis, double dt_m);

/// Maximum sigma [1/m] of a layer of this thickness whose sigma rises with the cube of the depth, and which reflects
/// `reflection` of the amplitude of a wave at normal incidence, with metal behind it: exp(-2 int sigma).
[[nodiscard]] double largest_rate_per_m(double reflection, double thickness_m);

/// alpha [1/m] of layers of this thickness: they bound static fields, and absorb waves up to some ten times as long.
[[nodiscard]] double static_rate_per_m(double thickness_m);

/// The fraction of the largest rate at a relative depth; with `cells` > 0 its mean over that one of so many equal cells
/// which contains the depth.
[[nodiscard]] double layer_profile(double depth, std::int64_t cells);

/// Damping of the flattest elements over that of moderately flat ones.
[[nodiscard]] double most_brake(Scheme scheme, Space space);

/// Damping share, 0 to 1, from the element's aspect ratio: extent through the layer over its longest edge along it
/// (theory/pml); 1/`most_brake` of moderately flat elements.
[[nodiscard]] double brake_share(Scheme scheme, Space space, double flatness);

/// Damping of the other components relative to that of the component across a layer, whose share is given, 0 to 1.
[[nodiscard]] double brake_along(Scheme scheme, Space space, double share);

/// Factor of the jump of E or H, times eps0 c0 or mu0 c0, of a share of 1 between media of these relative impedances:
/// `most_brake` quarters of that of the upwind flux, halves and more in DFDD-ELD, whose coupling is twice as strong.
[[nodiscard]] double brake_strength(Scheme scheme, Space space, bool electric, double impedance, double other);

/// Reduction of the stable step by damping, `strongest` the largest share.
[[nodiscard]] double braked_share_of_step(Scheme scheme, Space space, double strongest);

}  // namespace tetrawave::schemes
