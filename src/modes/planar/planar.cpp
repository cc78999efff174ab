#include "modes/planar/planar.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "base/text/counted.hpp"
#include "case/check/refusals.hpp"
#include "case/spec/solver_notes.hpp"
#include "march/interface/engine.hpp"
#include "model/check/case_check.hpp"
#include "modes/planar/far_field.hpp"
#include "modes/planar/results.hpp"
#include "modes/planar/system.hpp"

namespace tetrawave::modes {

namespace {

int planar_threads(const Case& given) {
  return march::threads_of_rank({Precision::double_precision, given.run.threads, Transport::automatic},
                                comm::Communicator::self());
}

bool is_among(const std::vector<double>& list, double hz) {
  return std::find(list.begin(), list.end(), hz) != list.end();
}

/// Of the longest edges of the triangles of each region, at the highest frequency.
std::vector<std::string> find_coarse_regions(const Case& given, const PlanarSetup& setup) {
  const TriangleMesh& mesh = setup.mesh;
  const double hz = wanted_frequencies(given).all_hz.back();
  std::vector<std::vector<double>> longest(mesh.region_names.size());
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const std::int32_t* corners = &mesh.elements[mesh.nodes_per_element() * e];
    double edge = 0;
    for (const auto& [a, b] : fem::planar_edges) {
      const Point2& from = mesh.nodes[static_cast<std::size_t>(corners[a])];
      const Point2& to = mesh.nodes[static_cast<std::size_t>(corners[b])];
      edge = std::max(edge, std::hypot(to[0] - from[0], to[1] - from[1]));
    }
    longest[static_cast<std::size_t>(mesh.region[e])].push_back(edge);
  }
  const double needed = needed_elements_per_wavelength(given.planar->order == 1 ? Space::mixed_1 : Space::mixed_2);
  std::vector<std::string> warnings;
  for (std::size_t r = 0; r < longest.size(); ++r) {
    if (longest[r].empty()) continue;
    std::sort(longest[r].begin(), longest[r].end());
    RegionCheck region;
    region.name = mesh.region_names[r];
    region.elements = static_cast<std::int64_t>(longest[r].size());
    region.edge_m = {longest[r].front(), longest[r][longest[r].size() / 2], longest[r].back()};
    add_wave(region, setup.media[r], hz);
    add_to(warnings, find_coarseness(region, hz, needed, "planar.order"));
  }
  return warnings;
}

/// Solves one frequency after the other and keeps what is asked of them.
class PlanarSweep {
 public:
  PlanarSweep(const Case& given, const PlanarSetup& setup, const PlanarSystem& system, fem::SolverMachine machine)
      : given_(given),
        setup_(setup),
        system_(system),
        threads_(machine.threads),
        wanted_(wanted_frequencies(given)),
        sets_(driven_sets(given)),
        solver_(given.solver, machine, system.pattern()) {}

  void run(PlanarOutcome& outcome, PlanarFiles& files) {
    outcome.base.sets = sets_;
    outcome.far_fields.resize(sets_.size());
    for (std::size_t f = 0; f < wanted_.all_hz.size(); ++f) solve(f, outcome, files);
  }

 private:
  void solve(std::size_t f, PlanarOutcome& outcome, PlanarFiles& files) {
    Stopwatch watch;
    FrequencyRecord record;
    record.hz = wanted_.all_hz[f];
    system_.assemble(record.hz, matrix_);
    const auto sides = system_.right_hand_sides(record.hz, sets_);
    solutions_.assign(sets_.size(), std::vector<Complex>(static_cast<std::size_t>(setup_.space.unknowns)));
    record.seconds_assembly = watch.lap();
    try {
      const fem::LinearFigures figures = solver_.solve(matrix_, sides, solutions_);
      keep_figures(figures, record);
      outcome.base.solver_bytes = std::max(outcome.base.solver_bytes, figures.bytes);
    } catch (const UserError& error) {
      throw UserError(error.code(), tetrawave::format("at {:.9g} Hz: {}", record.hz, error.what()));
    }
    for (std::size_t set = 0; set < sets_.size(); ++set) keep(set, record, outcome, files);
    log::info("{:.6g} GHz ({} of {}): {:.3g} s to assemble, {:.3g} s to solve, {} iterations, residual {:.2g}",
              record.hz / 1e9, f + 1, wanted_.all_hz.size(), record.seconds_assembly,
              record.seconds_preprocess + record.seconds_solve,
              *std::max_element(record.iterations.begin(), record.iterations.end()),
              *std::max_element(record.residual.begin(), record.residual.end()));
    outcome.base.records.push_back(std::move(record));
  }

  void keep(std::size_t set, FrequencyRecord& record, PlanarOutcome& outcome, PlanarFiles& files) {
    const PlanarSolution solution = system_.complete(record.hz, sets_[set], solutions_[set]);
    auto& ports = record.ports.emplace_back();
    for (std::size_t p = 0; p < setup_.ports.size(); ++p) ports.push_back(system_.at_port(p, solution));
    auto& probes = record.probes.emplace_back();
    for (std::size_t p = 0; p < given_.outputs.probes.size(); ++p) probes.push_back(system_.at_probe(p, solution));
    record.lost_w.push_back(system_.lost(solution));
    if (is_among(wanted_.far_field_hz, record.hz))
      outcome.far_fields[set].push_back(
          radiate(given_, setup_, system_, solution, given_.outputs.far_field->phi_deg, threads_));
    if (is_among(wanted_.fields_hz, record.hz)) files.write(set, record.hz, system_, solution);
  }

  const Case& given_;
  const PlanarSetup& setup_;
  const PlanarSystem& system_;
  int threads_;
  WantedFrequencies wanted_;
  std::vector<DrivenSet> sets_;
  fem::LinearSolver<Complex> solver_;
  fem::CsrMatrix<Complex> matrix_;
  std::vector<std::vector<Complex>> solutions_;
};

}  // namespace

void refuse_ranks_of_planes(const comm::Communicator& ranks) {
  if (ranks.size() > 1) fail(ExitCode::usage, ranks_of_planes.text, ranks.size());
}

PlanarCheck check_planar_case(const Case& given, const std::filesystem::path& mesh_file) {
  const PlanarSetup setup = set_up_planar(given, mesh_file);
  const int threads = planar_threads(given);
  const PlanarSystem system(given, setup, threads);
  const std::vector<DrivenSet> sets = driven_sets(given);
  PlanarCheck check;
  check.triangles = static_cast<std::int64_t>(setup.mesh.element_count());
  check.unknowns = setup.space.unknowns;
  check.nonzeros = system.pattern().nonzeros();
  const WantedFrequencies wanted = wanted_frequencies(given);
  check.frequencies = static_cast<std::int64_t>(wanted.all_hz.size());
  check.right_hand_sides = static_cast<std::int64_t>(sets.size());
  for (const PlanarPort& port : setup.ports) check.ports.push_back(port.model);
  check.hz = wanted.all_hz.back();
  check.warnings = find_coarse_regions(given, setup);
  Stopwatch watch;
  fem::CsrMatrix<Complex> matrix;
  system.assemble(check.hz, matrix);
  const auto sides = system.right_hand_sides(check.hz, {sets.front()});
  check.seconds_assembly = watch.lap();
  fem::LinearSolver<Complex> solver(given.solver, fem::SolverMachine(threads), system.pattern());
  check.solution = solver.estimate(matrix, sides.front(), sets.size());
  return check;
}

void run_planar(const Case& given, const FrequencyDomainOptions& options, const comm::Communicator& ranks) {
  refuse_ranks_of_planes(ranks);
  Stopwatch watch;
  const PlanarSetup setup = set_up_planar(given, options.mesh_file);
  const fem::SolverMachine machine = options.machine.solver_machine(planar_threads(given));
  const PlanarSystem system(given, setup, machine.threads);
  PlanarOutcome outcome;
  outcome.base.elements = static_cast<std::int64_t>(setup.mesh.element_count());
  outcome.base.unknowns = setup.space.unknowns;
  outcome.base.nonzeros = system.pattern().nonzeros();
  outcome.base.threads = machine.threads;
  for (const PlanarPort& port : setup.ports) outcome.base.ports.push_back(port.model);
  outcome.base.setup_seconds = watch.lap();
  log::info("finite elements: {} triangles, {} unknowns of {}, {} non-zeros, {}, {}, {}", outcome.base.elements,
            outcome.base.unknowns, name_of(given.planar->field), outcome.base.nonzeros,
            counted(wanted_frequencies(given).all_hz.size(), "frequency", "frequencies"),
            counted(driven_sets(given).size(), "right-hand side", "right-hand sides"),
            describe_solver(given.solver, machine.direct_solver(), machine.iterates_on()));
  for (const std::string& warning : find_idle_keys(given.solver)) log::warning("{}", warning);
  for (const std::string& warning : find_coarse_regions(given, setup)) log::warning("{}", warning);
  if (options.begin) options.begin();
  PlanarFiles files(given, setup, driven_sets(given), options.directory);
  PlanarSweep(given, setup, system, machine).run(outcome, files);
  files.finish();
  outcome.base.solve_seconds = watch.lap();
  outcome.base.host_memory_bytes = peak_resident_bytes();
  write_planar_results(given, options, setup, outcome);
}

}  // namespace tetrawave::modes
