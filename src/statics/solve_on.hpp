// The parallel algorithms on a backend, phase by phase.
#pragma once

#include "base/stopwatch.hpp"
#include "statics/element_products.hpp"
#include "statics/iteration.hpp"
#include "statics/row_assembly.hpp"

namespace tetrawave::fem {

/// Seconds since the last lap, after the device has finished its queue.
template <class Backend>
double lap(Stopwatch& watch, Backend& backend) {
  backend.synchronize();
  return watch.lap();
}

template <class Backend>
void solve_by_rows(Backend& backend, const StaticProblem& problem, const DeviceProblem<Backend>& device,
                   const SolveOptions& options, PeakMemory<Backend>& memory, Solution& solution) {
  SolveFigures& figures = solution.figures;
  Stopwatch watch;
  auto system = [&] {
    RowAssembly<Backend> rows(backend, problem);
    rows.insert(problem, device, options.shared);
    memory.note();
    figures.seconds_element = lap(watch, backend);
    auto converted = rows.convert(problem, device, options.jacobi, memory);
    figures.seconds_convert = lap(watch, backend);
    return converted;
  }();
  figures.seconds_convert += lap(watch, backend);  // the lists are given back
  figures.nonzeros = static_cast<std::int64_t>(system.columns.size());
  Iteration<Backend> iteration(backend, problem.free_count, system.rhs, system.inverse_diagonal);
  memory.note();
  figures.solve_bytes = backend.allocated_bytes();
  const kernels::CsrProduct product{system.starts.data(), system.columns.data(), system.values.data(),
                                    iteration.vectors()};
  iteration.run([&] { backend.sum(problem.free_count, product); }, options, figures);
  figures.seconds_solve = lap(watch, backend);
  solution.unknowns = iteration.download();
}

template <class Backend>
void solve_by_elements(Backend& backend, const StaticProblem& problem, const DeviceProblem<Backend>& device,
                       const SolveOptions& options, PeakMemory<Backend>& memory, Solution& solution) {
  SolveFigures& figures = solution.figures;
  Stopwatch watch;
  ElementProducts<Backend> products(backend, problem, device, options.algorithm == Algorithm2D::ebe_v1);
  products.begin(options.shared, options.jacobi);
  figures.seconds_element = lap(watch, backend);
  Iteration<Backend> iteration(backend, problem.free_count, products.rhs(), products.inverse_diagonal());
  memory.note();
  figures.solve_bytes = backend.allocated_bytes();
  iteration.run([&] { products.multiply(iteration.vectors(), options.shared); }, options, figures);
  figures.seconds_solve = lap(watch, backend);
  solution.unknowns = iteration.download();
}

/// Solves with a-fem, ebe-v1 or ebe-v2. Throws UserError (unstable) if it does not converge.
template <class Backend>
Solution solve_on(Backend backend, const StaticProblem& problem, const Coloring& coloring,
                  const SolveOptions& options) {
  Solution solution;
  solution.figures.device = backend.device();
  PeakMemory<Backend> memory(backend);
  Stopwatch watch;
  const DeviceProblem<Backend> device(backend, problem, coloring);
  solution.figures.seconds_transfer = lap(watch, backend);
  if (options.algorithm == Algorithm2D::a_fem)
    solve_by_rows(backend, problem, device, options, memory, solution);
  else
    solve_by_elements(backend, problem, device, options, memory, solution);
  solution.figures.peak_bytes = memory.bytes();
  return solution;
}

/// Only the assembly of a-fem, for tests: the assembled matrix.
template <class Backend>
CsrSystem assemble_on(Backend backend, const StaticProblem& problem, const Coloring& coloring, bool shared) {
  PeakMemory<Backend> memory(backend);
  const DeviceProblem<Backend> device(backend, problem, coloring);
  RowAssembly<Backend> rows(backend, problem);
  rows.insert(problem, device, shared);
  const auto system = rows.convert(problem, device, true, memory);
  return {system.starts.download(), system.columns.download(), system.values.download(), system.rhs.download()};
}

}  // namespace tetrawave::fem
