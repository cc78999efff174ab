#include "statics/problem.hpp"

#include "base/error.hpp"

namespace tetrawave::fem {

std::vector<double> StaticProblem::complete(const std::vector<double>& unknowns) const {
  std::vector<double> values(unknowns);
  values.insert(values.end(), fixed.begin(), fixed.end());
  return values;
}

void check_convergence(const SolveFigures& figures, bool broken, const SolveOptions& options) {
  if (broken)
    fail(
        ExitCode::unstable,
        "the conjugate gradients broke down after {} iterations: the matrix is not positive definite. Is a part of the "
        "mesh without a potential?",
        figures.iterations);
  if (!(figures.residual <= options.tolerance))
    fail(ExitCode::unstable,
         "no convergence: the residual is {:.3g} of the first one after {} iterations, {:.3g} is asked for: raise "
         "assembly_2d.max_iterations or assembly_2d.tolerance",
         figures.residual, figures.iterations, options.tolerance);
}

}  // namespace tetrawave::fem
