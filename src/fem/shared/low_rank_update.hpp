// Systems that differ from a sparse one by a few dense terms.
#pragma once

#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/solvers/linear_solver.hpp"

namespace tetrawave::fem {

/// U C U^T, to be added to a sparse matrix. With rows shared out over ranks, U is the sum of the columns of all ranks.
struct LowRankUpdate {
  std::vector<std::vector<Complex>> columns;  ///< of U
  std::vector<Complex> middle;                ///< C, row by row

  [[nodiscard]] bool is_empty() const { return columns.empty(); }
};

/// U^T x, added over ranks. Collective.
[[nodiscard]] std::vector<Complex> along_columns(const LowRankUpdate& update, const std::vector<Complex>& x,
                                                 const comm::Communicator& ranks);

/// Turns x = A^-1 b into (A + U C U^T)^-1 b by `images` = A^-1 U (Sherman, Morrison and Woodbury). Collective.
void apply_update(const LowRankUpdate& update, const std::vector<std::vector<Complex>>& images,
                  std::vector<std::vector<Complex>>& x, const comm::Communicator& ranks);

/// Solves A x = b for every b; `x`: on entry the initial guesses.
using SolveSides =
    std::function<LinearFigures(const std::vector<std::vector<Complex>>& b, std::vector<std::vector<Complex>>& x)>;

struct SolvedUpdate {
  LowRankUpdate update;
  std::vector<std::vector<Complex>> images{};  ///< A^-1 U, after the first solution
};

/// Solves (A + U C U^T) x = b for every b by `solve`, the first time with the columns of U as more right-hand sides.
/// Collective.
LinearFigures solve_updated(SolvedUpdate& solved, const SolveSides& solve, const comm::Communicator& ranks,
                            const std::vector<std::vector<Complex>>& b, std::vector<std::vector<Complex>>& x);

}  // namespace tetrawave::fem
