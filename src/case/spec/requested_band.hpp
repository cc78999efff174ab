// The frequency band of the results requested by a case.
#pragma once

#include <optional>

#include "case/spec/case.hpp"

namespace tetrawave {

struct Band {
  double from_hz = 0;
  double to_hz = 0;

  [[nodiscard]] double middle_hz() const;  ///< the geometric mean
};

/// From the lowest to the highest frequency of outputs.s_parameters, outputs.fields, outputs.far_field and `frequency`;
/// none if the case has none.
[[nodiscard]] std::optional<Band> requested_band(const Case& given);

/// A laminate's loss tangent in mode time-domain or fetd as the wideband Debye model over the requested band, widened
/// to at least an octave. Without a band, which the check of the case rejects, it is unchanged.
void fit_loss_tangent(Material& material, const std::optional<Band>& band);

}  // namespace tetrawave
