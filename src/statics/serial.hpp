// The reference: classic assembly into CSR and conjugate gradients, on one core, in the order of the elements.
#pragma once

#include "statics/incidence.hpp"
#include "statics/problem.hpp"

namespace tetrawave::fem {

/// The matrix and right-hand side, fixed nodes eliminated. `adjacency`: the elements of every node.
[[nodiscard]] CsrSystem assemble_serially(const StaticProblem& problem, const Adjacency& adjacency);

/// Assembly (figures: convert = the pattern of the matrix, element = its values) and solution.
[[nodiscard]] Solution solve_serially(const StaticProblem& problem, const Adjacency& adjacency,
                                      const SolveOptions& options);

}  // namespace tetrawave::fem
