#include "modes/eigenmode/eigenmode.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "case/spec/solver_notes.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "modes/eigenmode/line_resonances.hpp"
#include "modes/eigenmode/results.hpp"

namespace tetrawave::modes {

namespace {

/// A little off the target, which often is a resonance, where A has no inverse.
constexpr double shift = 1.00037;

/// Solvers of the systems of this rank, or of those that ranks share out.
template <class T>
std::function<fem::FixedSolver<T>()> solver_maker(const Case& given, const FrequencySetup& setup) {
  return [&given, &setup] {
    const fem::CsrPattern& pattern = setup.system->pattern();
    if (given.solver.shares_system)
      return fem::fixed_solver<T>(std::make_shared<fem::SharedSolver<T>>(given.solver, setup.solver_machine(), pattern,
                                                                         fem::MatrixKind::symmetric,
                                                                         setup.system->shared_space().rows));
    return fem::fixed_solver<T>(std::make_shared<fem::LinearSolver<T>>(given.solver, setup.solver_machine(), pattern));
  };
}

fem::EigenOutcome search(const Case& given, const FrequencySetup& setup, std::string& problem) {
  const double unit_hz = given.eigenmode.target_hz;
  const fem::MatrixFunction function = matrices_of(*setup.system, unit_hz);
  problem = tetrawave::format("{}{} problem of {} matrices", function.is_real ? "real " : "complex ",
                              function.is_quadratic ? "linear" : "nonlinear", function.terms.size());
  fem::EigenOptions options;
  options.count = static_cast<std::size_t>(given.eigenmode.count);
  options.shift = shift;
  options.tolerance = given.eigenmode.tolerance;
  options.machine = setup.solver_machine();
  options.shared = &setup.system->shared_space().rows;
  options.make_real = solver_maker<double>(given, setup);
  options.make_complex = solver_maker<Complex>(given, setup);
  return fem::find_eigenpairs(function, options);
}

void report(const Case& given, const EigenmodeOutcome& outcome, const std::string& problem) {
  const fem::EigenOutcome& search = outcome.search;
  log::info("eigenmodes: {}, {} steps, {} solutions with one factorisation, a space of {} vectors", problem,
            search.steps, search.solutions, search.vectors);
  for (std::size_t k = 0; k < outcome.resonances.size(); ++k) {
    const Resonance& resonance = outcome.resonances[k];
    log::info("resonance {}: {:.9g} GHz, Q {:.6g}, residual {:.2g}", k, resonance.hz.real() / 1e9, resonance.q(),
              resonance.residual);
  }
  const char* way = search.counted_by == fem::EigenCount::inertia
                        ? "the inertia of the matrices at both ends"
                        : "a contour around them in the reduced model, after a start from other vectors";
  const char* of_what = outcome.lines.empty() ? "" : ", with the static modes of the lines at ports";
  const double within_hz = search.counted_within * given.eigenmode.target_hz;
  if (search.counted_within == 0)
    log::warning(
        "eigenmode: whether one is missing cannot be counted, as the target is nearer to zero, or to the cutoff of a "
        "port's mode, than to all resonances found: move eigenmode.target nearer to those wanted");
  else if (search.counted == search.found_within)
    log::info("no resonance is missing: {} within {:.6g} GHz of the target, as counted by {}{}", search.counted,
              within_hz / 1e9, way, of_what);
  else
    log::warning(
        "eigenmode: {} resonances were found within {:.6g} GHz of the target, but {} are there by {}{}: ask for a "
        "few more with eigenmode.count, or move eigenmode.target",
        search.found_within, within_hz / 1e9, search.counted, way, of_what);
}

/// From the static modes of quasi-TEM ports to the modes of their lines, each at its own complex frequency.
void use_lines(const Case& given, FrequencySetup& setup, EigenmodeOutcome& outcome) {
  fem::EigenOutcome& search = outcome.search;
  outcome.lines = setup.system->use_line_modes(setup.ports, {given.eigenmode.target_hz});
  if (outcome.lines.empty()) return;
  const LineFigures figures = follow_lines(*setup.system, solver_maker<Complex>(given, setup)(),
                                           given.eigenmode.target_hz, given.eigenmode.tolerance, search.pairs);
  search.bytes = std::max(search.bytes, figures.bytes);
  if (setup.system->ranks().rank() != 0) return;
  log::info("modes of lines at ports: {} factorisations, resonances moved by up to {:.2g} of their frequency",
            figures.factorisations, figures.moved);
  if (!figures.same.empty())
    log::warning(
        "eigenmode: {} of the resonances are there twice: two of the static modes of ports led to one of the modes of "
        "their lines; move eigenmode.target, or ask for others with eigenmode.count",
        figures.same.size());
}

/// Drives each port that has `excite` at every resonance; at one without losses a little above.
void add_overlaps(const Case& given, const FrequencySetup& setup, EigenmodeOutcome& outcome) {
  for (std::size_t p = 0; p < given.ports.size(); ++p)
    if (given.ports[p].excite && given.ports[p].excite->amplitude != 0)
      outcome.driven.push_back({given.ports[p].name, {p}, false});
  if (outcome.driven.empty()) return;
  const fem::FixedSolver<Complex> solve = solver_maker<Complex>(given, setup)();
  fem::CsrMatrix<Complex> matrix;
  for (Resonance& resonance : outcome.resonances) {
    constexpr double highest_q = 1e8, off = 1e-7;  // where there is no loss, the matrix has no inverse
    const double hz = resonance.hz.real() * (resonance.q() > highest_q ? 1 + off : 1);
    setup.system->ranks().agree([&] { setup.system->assemble(hz, matrix); });
    const auto sides = setup.system->right_hand_sides(hz, outcome.driven);
    std::vector<std::vector<Complex>> fields(sides.size(), std::vector<Complex>(sides.front().size(), Complex(0)));
    fem::SolvedUpdate update{setup.system->line_update(hz, setup.system->space())};
    fem::solve_updated(
        update, [&](const auto& b, auto& x) { return solve(&matrix, b, x); }, setup.system->ranks(), sides, fields);
    resonance.overlaps = overlaps_of(*setup.system, resonance, fields);
  }
}

}  // namespace

Case share_out(Case given, const comm::Communicator& ranks) {
  given.solver.shares_system = ranks.size() > 1;
  return given;
}

std::int64_t expected_solutions(const EigenmodeSpec& spec) {
  constexpr std::int64_t of_mode = 8, others = 20;  // as seen
  return of_mode * spec.count + others;
}

void run_eigenmodes(const Case& spec, const FrequencyDomainOptions& options, const comm::Communicator& ranks) {
  Stopwatch watch;
  const Case given = share_out(spec, ranks);
  FrequencySetup setup = set_up_frequency_domain(given, options.mesh_file, options.machine, ranks);
  EigenmodeOutcome outcome;
  FrequencyOutcome& run = outcome.run;
  run.elements = setup.base->mesh.global_element_count;
  run.unknowns = setup.system->unknowns();
  run.nonzeros = setup.nonzeros();
  setup.shared_solver.reset();
  run.ranks = ranks.size();
  run.threads = setup.threads;
  run.setup_seconds = watch.lap();
  log::info(
      "finite elements: {} unknowns, {} non-zeros; {} resonances nearest {:.6g} GHz, {}", run.unknowns, run.nonzeros,
      given.eigenmode.count, given.eigenmode.target_hz / 1e9,
      describe_solver(given.solver, setup.solver_machine().direct_solver(), setup.solver_machine().iterates_on()));
  for (const std::string& warning : examine_frequencies(setup, 1, options.directory, ranks).fields.warnings)
    log::warning("{}", warning);
  ranks.agree([&] {
    if (ranks.rank() == 0 && options.begin) options.begin();
  });
  std::string problem;
  outcome.search = search(given, setup, problem);
  if (outcome.search.pairs.size() < static_cast<std::size_t>(given.eigenmode.count))
    fail(ExitCode::bad_case,
         "{}: error: eigenmode.count: {} resonances are asked for, but this mesh has only {} (fields that relax with a "
         "Q below 1/2 are none)",
         given.eigenmode.place.text, given.eigenmode.count, outcome.search.pairs.size());
  use_lines(given, setup, outcome);
  run.solver_bytes = ranks.max(outcome.search.bytes);
  outcome.resonances = examine_pairs(*setup.system, std::move(outcome.search.pairs), given.eigenmode.target_hz,
                                     setup.base->mesh.region_names.size(), setup.base->problem.walls.size());
  add_overlaps(given, setup, outcome);
  if (ranks.rank() == 0) report(given, outcome, problem);
  run.solve_seconds = watch.lap();
  run.host_memory_bytes = ranks.max(peak_resident_bytes());
  write_eigenmode_fields(setup, outcome.resonances, options.directory);
  const std::vector<ProbedModes> probes = probe_modes(setup, outcome.resonances);
  ranks.agree([&] {
    if (ranks.rank() == 0) write_eigenmode_results(given, options, setup, outcome, probes);
  });
}

}  // namespace tetrawave::modes
