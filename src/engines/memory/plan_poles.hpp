// Contribution of losses and dispersion to the plan of device memory.
#pragma once

#include "engines/memory/memory_plan.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Sets `poles` and `law_energies` of the counts.
void count_poles(const Problem& problem, ProblemCounts& counts);

}  // namespace tetrawave::march
