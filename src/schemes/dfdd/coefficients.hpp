// DFDD-ELD as numbers: what schemes/dfdd/update.hpp multiplies with in each medium (THEORY.md 16).
#pragma once

#include <vector>

#include "media/material.hpp"

namespace tetrawave::schemes {

/// Per material class, the padding last (it changes nothing).
struct RateCoefficients {
  std::vector<double> gain;       ///< dt/a, a = eps + the part of the polarisations that goes with the unknown
  std::vector<double> pull;       ///< 4 a/dt^2
  std::vector<double> stiffness;  ///< 4 a b/dt^2, b = mu likewise
};

/// Coefficients of E, or of H with eps and mu exchanged, for a step dt_m = c0 dt.
RateCoefficients rate_coefficients(const std::vector<Medium>& media, bool electric, double dt_m);

}  // namespace tetrawave::schemes
