#include "host/static_solver.hpp"

#include <omp.h>

#include "fem/solve_on.hpp"
#include "host/static_backend.hpp"

namespace tetrawave::host {

namespace {

StaticBackend make_backend(int threads) { return StaticBackend(threads > 0 ? threads : omp_get_num_procs()); }

}  // namespace

fem::Solution solve_static(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                           const fem::SolveOptions& options) {
  return fem::solve_on(make_backend(options.threads), problem, coloring, options);
}

fem::CsrSystem assemble_rows(const fem::StaticProblem& problem, const fem::Coloring& coloring, bool shared,
                             int threads) {
  return fem::assemble_on(make_backend(threads), problem, coloring, shared);
}

}  // namespace tetrawave::host
