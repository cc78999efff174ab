// The outer iteration of mode fe-iiee: boundary values at S that the solution radiates there itself (THEORY.md 32).
#pragma once

#include <cstdint>
#include <vector>

#include "fem/linear_solver.hpp"
#include "modes/integral_boundary.hpp"

namespace tetrawave::modes {

/// What the iteration at one frequency has come to.
struct BoundaryHistory {
  std::vector<double> changes;  ///< of the boundary values by each iteration, over their size, the largest of all sets
  bool converged = true;        ///< whether the last of them is within iiee.tolerance
  double seconds = 0;           ///< of the integral equation: currents, sums, moments, outer iteration
  double seconds_sums = 0;      ///< of these the sums over pairs of points
  double seconds_solve = 0;
  double pairs = 0;                      ///< of points that radiated to each other
  std::vector<std::int64_t> iterations;  ///< of the linear solver, per set
  std::vector<double> residual;          ///< of the last solution, per set
};

/// From the first-order absorbing condition, whose solutions `fields` are on entry, one per right-hand side of `sides`;
/// on return those with the boundary values of the last iteration. The matrix and its factors are those of the solver's
/// last `solve`.
[[nodiscard]] BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system,
                                               IntegralBoundary& boundary, fem::LinearSolver<Complex>& solver,
                                               const std::vector<std::vector<Complex>>& sides,
                                               std::vector<FieldSolution>& fields, int threads);

}  // namespace tetrawave::modes
