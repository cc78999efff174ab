// What the outer iteration of mode fe-iiee takes, before it runs (theory/fe-iiee).
#pragma once

#include <optional>
#include <string>

#include "case/spec/frequency_spec.hpp"
#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::modes {

/// As around a metal sphere in a plane wave, with S a sphere about it.
struct OuterForecast {
  double size = 0;             ///< k times the sphere's radius
  double gap_wavelengths = 0;  ///< from it to S
  double rate = 0;             ///< what a plain iteration leaves of the slowest partial wave's error; exact
  int plain = 0;               ///< iterations to the tolerance; 0: more than a thousand, or it diverges
  int gmres = 0;
};

/// `size` and `gap_wavelengths` above 0.
[[nodiscard]] OuterForecast forecast_outer_iteration(double size, double gap_wavelengths, double tolerance);

/// Where the case asks for plain updates that come near to divergence.
[[nodiscard]] std::optional<std::string> warning_of(const OuterForecast& forecast, const IieeSpec& spec);

/// How the case has its sums made, and how many of them are expected at a frequency.
[[nodiscard]] kernels::ClusterChoice cluster_choice(const IieeSpec& spec);

}  // namespace tetrawave::modes
