// Far fields of plane problems: patterns and scattering widths.
#pragma once

#include <complex>
#include <vector>

#include "modes/planar/system.hpp"

namespace tetrawave::modes {

/// Of one right-hand side at one frequency: sqrt(r) E exp(j k r) [V/sqrt(m)], of E_theta = -E_z or of E_phi.
struct PlanarFarField {
  double hz = 0;
  std::vector<Complex> field;  ///< per direction
  double radiated_w_per_m = 0;
};

/// Of the scattered field with a plane wave, else of the whole field. `phi_deg`: directions.
[[nodiscard]] PlanarFarField radiate(const Case& given, const PlanarSetup& setup, const PlanarSystem& system,
                                     const PlanarSolution& solution, const std::vector<double>& phi_deg, int threads);

}  // namespace tetrawave::modes
