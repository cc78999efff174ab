// Static problems on the cores of the CPU.
#pragma once

#include "statics/coloring.hpp"
#include "statics/problem.hpp"

namespace tetrawave::host {

/// a-fem, ebe-v1 or ebe-v2 with options.threads threads.
[[nodiscard]] fem::Solution solve_static(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                                         const fem::SolveOptions& options);

/// The matrix assembled by a-fem.
[[nodiscard]] fem::CsrSystem assemble_rows(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                                           bool shared, int threads);

}  // namespace tetrawave::host
