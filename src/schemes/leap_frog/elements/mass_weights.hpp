// The mass that a step of a leap-frog scheme inverts in an element.
#pragma once

#include <optional>

#include "basis/physical_element.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Its weights: those of the medium including losses and terms (terms/dispersion/coefficients.hpp), times those of a
/// layer, and the correction at borders of LTS levels (class_borders.hpp).
[[nodiscard]] basis::Weights mass_weights_of(const Problem& problem, LocalIndex element, Field field, double dt_m,
                                             std::optional<double> border_dt_m = {});

}  // namespace tetrawave::march
