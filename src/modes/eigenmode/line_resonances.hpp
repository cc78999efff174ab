// Resonances with the modes of the lines at quasi-TEM ports, which depend on the complex frequency (theory/eigenmodes).
#pragma once

#include <vector>

#include "fem/solvers/eigen_solver.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// How `follow_lines` went.
struct LineFigures {
  int factorisations = 0;
  std::int64_t bytes = 0;         ///< of a factorisation
  double moved = 0;               ///< largest change of a value, relative
  std::vector<std::size_t> same;  ///< pairs that came to where an earlier one did
};

/// From solutions of A(u) x = 0 with the static modes of lines, `FrequencySystem::matrices_of`, to those with
/// `FrequencySystem::line_update` at their own u, in place. `unit_hz`: of u; `tolerance`: of residuals. Throws
/// UserError (unstable) where one does not converge. Collective.
[[nodiscard]] LineFigures follow_lines(const FrequencySystem& system, const fem::FixedSolver<Complex>& solve,
                                       double unit_hz, double tolerance, std::vector<fem::EigenPair>& pairs);

/// Adds to each port with the mode of its line what a field x delivers to it beside the wall of its static mode, over 2
/// pi `hz`. Collective.
void add_line_losses(const FrequencySystem& system, double hz, const std::vector<Complex>& x,
                     std::vector<double>& lost_at);

}  // namespace tetrawave::modes
