// Forecast of the outer iteration of mode fe-iiee before it runs (theory/fe-iiee).
#pragma once

#include <optional>
#include <string>

#include "case/spec/frequency_spec.hpp"
#include "kernels/pairs/pair_sums.hpp"
#include "modes/frequency_domain/outer_boundary.hpp"

namespace tetrawave::modes {

/// Rate and numbers of iterations to `tolerance`; `size`: k times the radius, it and `gap_wavelengths` above 0.
[[nodiscard]] OuterForecast forecast_outer_iteration(double size, double gap_wavelengths, double tolerance);

/// A warning if the case asks for plain updates that nearly diverge.
[[nodiscard]] std::optional<std::string> warning_of(const OuterForecast& forecast, const IieeSpec& spec);

/// The kind of sums that the case asks for, and the number of them expected at a frequency.
[[nodiscard]] kernels::ClusterChoice cluster_choice(const IieeSpec& spec);

}  // namespace tetrawave::modes
