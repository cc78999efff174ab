// What the outer iteration of mode fe-iiee takes, before it runs (theory/fe-iiee).
#pragma once

#include <optional>
#include <string>

#include "case/spec/frequency_spec.hpp"
#include "kernels/pairs/pair_sums.hpp"
#include "modes/frequency_domain/outer_boundary.hpp"

namespace tetrawave::modes {

/// `size` and `gap_wavelengths` above 0.
[[nodiscard]] OuterForecast forecast_outer_iteration(double size, double gap_wavelengths, double tolerance);

/// Where the case asks for plain updates that come near to divergence.
[[nodiscard]] std::optional<std::string> warning_of(const OuterForecast& forecast, const IieeSpec& spec);

/// How the case has its sums made, and how many of them are expected at a frequency.
[[nodiscard]] kernels::ClusterChoice cluster_choice(const IieeSpec& spec);

}  // namespace tetrawave::modes
