#include "modes/assembly_2d/assembly_2d.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "case/check/refusals.hpp"
#include "modes/assembly_2d/results.hpp"

namespace tetrawave::modes {

void log_outcome(const Case& given, const StaticOutcome& outcome) {
  const fem::SolveFigures& figures = outcome.run.figures;
  log::info(
      "{} on {}: element {:.4g} s, conversion {:.4g} s, solution {:.4g} s with {} iterations, {:.1f} bytes per "
      "element",
      name_of(given.assembly_2d.algorithm), figures.device, figures.seconds_element, figures.seconds_convert,
      figures.seconds_solve, figures.iterations, bytes_per_element(outcome));
  if (outcome.run.difference) log::info("relative L2 difference to serial: {:.3g}", *outcome.run.difference);
  const bool whole = outcome.setup.problem.axisymmetric;
  log::info("energy {:.8g} {}", outcome.quantities.energy, whole ? "J" : "J/m");
  if (outcome.quantities.capacitance) log::info("capacitance {:.8g} F/m", *outcome.quantities.capacitance);
  if (outcome.quantities.inductance)
    log::info("inductance of one turn {:.8g} {}", *outcome.quantities.inductance, whole ? "H" : "H/m");
}

void refuse_ranks(const comm::Communicator& ranks) {
  if (ranks.size() > 1) fail(ExitCode::usage, ranks_of_statics.text, ranks.size());
}

std::string backend_of(const Case& given, const std::string& backend) {
  return given.assembly_2d.algorithm == Algorithm2D::serial ? "cpu" : backend;
}

StaticOutcome solve_on_mesh(const Case& given, TriangleMesh mesh, const StaticSolver& solver,
                            const std::function<void()>& begin, SerialReference& reference) {
  StaticOutcome outcome;
  outcome.mesh = std::move(mesh);
  outcome.setup = make_static_problem(given, outcome.mesh);
  log::info("mesh: {} triangles of order {}, {} nodes, {} unknown", outcome.mesh.element_count(), outcome.mesh.order,
            outcome.mesh.nodes.size(), outcome.setup.problem.free_count);
  if (begin) begin();
  outcome.run = run_static(outcome.setup, solver, reference);
  outcome.quantities = find_quantities(outcome.setup, outcome.run.values);
  return outcome;
}

void run_assembly_2d(const Case& given, const Assembly2DOptions& options, const comm::Communicator& ranks) {
  refuse_ranks(ranks);
  SerialReference reference;
  Stopwatch watch;
  TriangleMesh mesh = load_triangles(given, options.mesh_file);
  const double seconds_mesh = watch.lap();
  StaticOutcome outcome = solve_on_mesh(given, std::move(mesh), options.solver, options.begin, reference);
  outcome.seconds_mesh = seconds_mesh;
  log_outcome(given, outcome);
  results::RunIdentity identity = options.identity;
  identity.backend = backend_of(given, options.backend);
  write_static_results(options.directory, given.resolved_yaml, identity, outcome);
}

}  // namespace tetrawave::modes
