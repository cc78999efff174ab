// Materials for the schemes: a few numbers per region of the mesh, in internal units.
#pragma once

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "media/material_data.hpp"
#include "media/poles.hpp"

namespace tetrawave {

/// A medium, relative and normalised (base/constants.hpp): with s = j omega/c0 and along axis i = x, y, z
///
///   eps_i(s) = eps_r (1 - j loss_tangent) eps_axes[i] + sum chi(s) + sigma_e/s      over electric_poles
///   mu_i(s)  = mu_r mu_axes[i] + sum chi(s) + sigma_m/s                             over magnetic_poles
struct Medium {
  double eps_r = 1;         ///< at infinite frequency; the geometric mean over the axes
  double mu_r = 1;          ///< likewise
  double sigma_e = 0;       ///< eta0 sigma [1/m]
  double sigma_m = 0;       ///< sigma_m / eta0 [1/m]
  double loss_tangent = 0;  ///< of eps_r, at every frequency; frequency-domain modes only
  double chi3 = 0;          ///< D = (... + chi3 |E|^2) E [m^2/V^2]
  Vec3 eps_axes{1, 1, 1};
  Vec3 mu_axes{1, 1, 1};
  std::vector<PoleTerm> electric_poles{};
  std::vector<PoleTerm> magnetic_poles{};
  Dispersion dispersion = Dispersion::passive;  ///< time stepping of the terms
  bool exact_steps = false;                     ///< of E, for steps of fourth order (terms/dispersion/flow_step.hpp)

  /// Wave impedance relative to free space, sqrt(mu/eps), at infinite frequency.
  [[nodiscard]] double impedance() const { return std::sqrt(mu_r / eps_r); }
  /// eps_r with its loss tangent.
  [[nodiscard]] std::complex<double> complex_eps_r() const { return {eps_r, -eps_r * loss_tangent}; }
  [[nodiscard]] bool is_lossless() const { return sigma_e == 0 && sigma_m == 0 && loss_tangent == 0; }
  [[nodiscard]] bool is_isotropic() const { return eps_axes == Vec3{1, 1, 1} && mu_axes == Vec3{1, 1, 1}; }
  [[nodiscard]] bool is_dispersive() const { return !electric_poles.empty() || !magnetic_poles.empty(); }
  [[nodiscard]] bool operator==(const Medium& other) const = default;
};

/// eps and mu at one frequency, exp(+j omega t): losses have a negative imaginary part.
struct ComplexConstants {
  std::complex<double> eps;
  std::complex<double> mu;
};

/// The constants of an isotropic medium, conductivities included, at a frequency above 0, or a complex one near it.
[[nodiscard]] ComplexConstants constants_at(const Medium& medium, std::complex<double> frequency_hz);

/// Largest c0 dt [m] at which the five-stage Runge-Kutta method (LSERK54) is stable for the medium's own modes: 4.65
/// over the fastest rate if its terms only relax, else 3.17 over it (the half disc inside the region of stability);
/// infinite for a medium without terms. The curl has a separate limit.
[[nodiscard]] double runge_kutta_step_limit_m(const Medium& medium);

/// Relative shift by which the trapezoidal rule with the step c0 dt lowers the highest resonance of the medium's terms,
/// 1 - atan(x/2)/(x/2) of x = omega dt; 0 if no term has two states.
[[nodiscard]] double resonance_shift(const Medium& medium, double dt_m);

/// The medium of a material of the case, with a laminate replaced by its fit (media/wideband_debye.hpp).
[[nodiscard]] Medium make_medium(const Material& material);

/// Throws one UserError (bad_case), a line per error: a growing pole, a medium that is active at some frequency, a
/// laminate whose fit has no positive eps_r at infinite frequency.
void check_media(const std::vector<Material>& materials);

}  // namespace tetrawave
