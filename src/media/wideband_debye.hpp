// A laminate of nearly constant loss tangent as a few Debye terms.
#pragma once

#include <complex>
#include <vector>

#include "media/material_data.hpp"

namespace tetrawave {

/// eps at a frequency by Djordjevic and Sarkar (IEEE Trans. EMC 43(4), 2001, eq. 4):
/// eps_inf + A ln((w2 + j w)/(w1 + j w)), w1 and w2 the ends of the band, which has the given eps_r (1 - j
/// loss_tangent) at its frequency `at`.
[[nodiscard]] std::complex<double> wideband_debye_permittivity(const WidebandDebye& spec, double frequency_hz);

/// Debye terms that approximate a laminate.
struct WidebandDebyeFit {
  double eps_r = 1;  ///< at infinite frequency
  std::vector<DebyeTerm> terms;
  double permittivity_error = 0;  ///< largest |eps - formula|/|formula| over the band
  double loss_tangent_error = 0;  ///< largest relative error of the loss tangent over the band
};

/// The fewest Debye terms (1 to 16) whose loss tangent is within 2 percent of the formula's over the band, or the best
/// of all if none is. Their relaxation frequencies are spaced logarithmically, their strengths are a least-squares fit
/// to the loss, all above 0; at `at` the fit has the given values exactly.
[[nodiscard]] WidebandDebyeFit fit_wideband_debye(const WidebandDebye& spec);

}  // namespace tetrawave
