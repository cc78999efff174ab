// Number of unknowns of a run.
#pragma once

#include <cstdint>

#include "model/time_domain_setup.hpp"

namespace tetrawave::modes {

/// Number of unknowns: E and H on all elements, in mode fetd those of the system.
[[nodiscard]] std::int64_t dofs_of(const Case& given, const TimeDomainSetup& setup);

/// Updates of unknowns in a step of the time loop: each as often as the LTS level of its element takes part.
[[nodiscard]] double updates_of_step(const Case& given, const TimeDomainSetup& setup);

}  // namespace tetrawave::modes
