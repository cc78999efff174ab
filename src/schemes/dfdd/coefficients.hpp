// Coefficients of DFDD-ELD for schemes/dfdd/update.hpp in each medium (theory/dfdd).
#pragma once

#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// Per material class, the padding last (unchanged by updates).
struct RateCoefficients {
  std::vector<double> gain;       ///< dt/a, a = eps + the instantaneous part of the polarisations
  std::vector<double> pull;       ///< 4 a/dt^2
  std::vector<double> stiffness;  ///< 4 a b/dt^2, with the corresponding b of mu
};

/// Coefficients of E, or of H with eps and mu exchanged, for a step dt_m = c0 dt.
RateCoefficients rate_coefficients(const std::vector<Medium>& media, bool electric, double dt_m);

}  // namespace tetrawave::schemes
