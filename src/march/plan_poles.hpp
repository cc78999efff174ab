// What losses and terms of dispersion add to the plan of device memory.
#pragma once

#include "march/memory_plan.hpp"
#include "march/problem.hpp"

namespace tetrawave::march {

/// Sets `poles` and `law_energies` of the counts.
void count_poles(const Problem& problem, ProblemCounts& counts);

}  // namespace tetrawave::march
