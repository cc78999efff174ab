// Resonances with the modes of the lines at quasi-TEM ports, which depend on the complex frequency (theory/eigenmodes).
#pragma once

#include <vector>

#include "fem/solvers/eigen_solver.hpp"
#include "modes/frequency_domain/system.hpp"

namespace tetrawave::modes {

/// Figures of `follow_lines`.
struct LineFigures {
  int factorisations = 0;
  std::int64_t bytes = 0;         ///< of a factorisation
  double moved = 0;               ///< largest change of a value, relative
  std::vector<std::size_t> same;  ///< pairs that came to where an earlier one did
};

/// Turns solutions of A(u) x = 0 with the static modes of lines, `FrequencySystem::matrices_of`, into those with
/// `FrequencySystem::line_update` at their own u. `unit_hz`: the frequency of u = 1; `tolerance`: of residuals. Throws
/// UserError (unstable) if one does not converge. Collective.
[[nodiscard]] LineFigures follow_lines(const FrequencySystem& system, const fem::FixedSolver<Complex>& solve,
                                       double unit_hz, double tolerance, std::vector<fem::EigenPair>& pairs);

/// Adds to each port with the mode of its line the power that a field x delivers to it in addition to the wall of its
/// static mode, over 2 pi `hz`. Collective.
void add_line_losses(const FrequencySystem& system, double hz, const std::vector<Complex>& x,
                     std::vector<double>& lost_at);

}  // namespace tetrawave::modes
