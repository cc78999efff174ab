#include "host/static_solver.hpp"

#include <omp.h>

#include "host/static_backend.hpp"
#include "statics/solve_on.hpp"

namespace tetrawave::host {

namespace {

int count_threads(int asked) { return asked > 0 ? asked : omp_get_num_procs(); }

}  // namespace

fem::Solution solve_static(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                           const fem::SolveOptions& options) {
  const int threads = count_threads(options.threads);
  fem::Solution solution = fem::solve_on(StaticBackend(threads), problem, coloring, options);
  solution.figures.threads = threads;
  return solution;
}

fem::CsrSystem assemble_rows(const fem::StaticProblem& problem, const fem::Coloring& coloring, bool shared,
                             int threads) {
  return fem::assemble_on(StaticBackend(count_threads(threads)), problem, coloring, shared);
}

}  // namespace tetrawave::host
