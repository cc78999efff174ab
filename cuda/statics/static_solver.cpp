#include "cuda/statics/static_solver.hpp"

#include "base/error.hpp"
#include "cuda/statics/static_backend.hpp"
#include "statics/solve_on.hpp"

namespace tetrawave::cuda {

namespace {

StaticBackend make_backend() {
  if (device_count() == 0)
    fail(ExitCode::unavailable, "no CUDA GPU is available here (driver missing or no device): use --backend cpu");
  return StaticBackend(0);
}

}  // namespace

fem::Solution solve_static(const fem::StaticProblem& problem, const fem::Coloring& coloring,
                           const fem::SolveOptions& options) {
  return fem::solve_on(make_backend(), problem, coloring, options);
}

fem::CsrSystem assemble_rows(const fem::StaticProblem& problem, const fem::Coloring& coloring, bool shared) {
  return fem::assemble_on(make_backend(), problem, coloring, shared);
}

}  // namespace tetrawave::cuda
