// Static problems on a GPU.
#pragma once

#include "statics/coloring.hpp"
#include "statics/problem.hpp"

namespace tetrawave::cuda {

/// a-fem, ebe-v1 or ebe-v2 on the first GPU. Throws UserError (unavailable) when there is none.
[[nodiscard]] fem::Solution solve_static(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                                         const fem::SolveOptions& options);

/// The matrix that a-fem makes.
[[nodiscard]] fem::CsrSystem assemble_rows(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                                           bool shared);

}  // namespace tetrawave::cuda
