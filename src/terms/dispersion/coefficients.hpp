// Coefficients of dispersive terms for terms/dispersion/kernel.hpp (theory/dispersion).
#pragma once

#include <array>
#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// T11 T12 T21 T22 g1 g2 of x+ = T x + g (u + u+), or the rates of the Runge-Kutta method times dt: a0 a1 b0 b1 c.
using TermConstants = std::array<double, 6>;

/// The trapezoidal rule for one term over dt_m = c0 dt.
TermConstants trapezoidal(const PoleTerm& term, double dt_m);
/// x1' = -a1 x1 + c x2 + b1 u, x2' = -a0 x1 + b0 u.
TermConstants rates(const PoleTerm& term, double dt_m);

/// Coefficients of one constitutive law in addition to its constant.
struct Law {
  double constant = 1;  ///< times axes[i] along x, y, z
  double loss = 0;      ///< sigma that is not treated as a term
  std::vector<PoleTerm> terms{};
  bool published =
      false;  ///< terms by recursive convolutions (terms/dispersion/recursive_convolution.hpp), including losses
  Vec3 axes{1, 1, 1};
  bool exact = false;  ///< advanced by flow_step (terms/dispersion/flow_step.hpp)
  /// Whether there is work before the update.
  [[nodiscard]] bool any() const { return !terms.empty() || (published && loss != 0); }
  /// Whether losses or terms, which are isotropic, occur together with an anisotropic constant: their contribution is
  /// then projected with the mass of the element (terms/dispersion/axes.hpp).
  [[nodiscard]] bool is_projected() const { return axes != Vec3{1, 1, 1} && (loss != 0 || !terms.empty()); }
};

/// The law of eps (electric) or mu. DFDD-ELD treats a conductivity as the term sigma/s, unless its terms are published
/// ones; DGTD-Upwind has no published ones.
Law law_of(Scheme scheme, const Medium& medium, bool electric);

/// The instantaneous part of the terms: sum of g1, or of Re(a c).
double present_part(const Law& law, double dt_m);

/// The mass of a leap-frog scheme along x, y, z: mean axes[i].
struct MassConstant {
  double mean = 1;
  Vec3 axes{1, 1, 1};
};
/// constant axes[i] + sum of the instantaneous parts + dt loss/2; the mean is the geometric one if the axes differ.
MassConstant mass_of(const Law& law, double dt_m);

/// DFDD-ELD: means of a and b of A = a M + dt^2/(4 b) S0.
struct ImplicitConstants {
  double own = 1;
  double other = 1;
};
ImplicitConstants implicit_constants(const Medium& medium, bool electric, double dt_m);

}  // namespace tetrawave::schemes
