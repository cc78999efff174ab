#include "modes/frequency_domain/frequency_domain.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/phase_clock.hpp"
#include "base/stopwatch.hpp"
#include "base/text/counted.hpp"
#include "case/spec/solver_notes.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "model/far_field.hpp"
#include "model/set_up/set_up_model.hpp"
#include "modes/frequency_domain/far_field.hpp"
#include "modes/frequency_domain/record.hpp"
#include "modes/frequency_domain/results.hpp"
#include "results/fields/field_series.hpp"

namespace tetrawave::modes {

namespace {

using SolveSystem = std::function<fem::LinearFigures(const fem::CsrMatrix<Complex>& matrix,
                                                     const std::vector<std::vector<Complex>>& sides,
                                                     std::vector<std::vector<Complex>>& solutions)>;

/// `matrix` is what the solver has at the end, and needs while it solves again. Iterations start from `solutions`, from
/// 0 where there are none. Collective on the ranks of the system.
TrialSolution solve_system(const FrequencySystem& system, const SolveSystem& solve, double hz,
                           fem::CsrMatrix<Complex>& matrix, fem::SolvedUpdate& update,
                           const std::vector<DrivenSet>& sets, std::vector<std::vector<Complex>>& sides,
                           std::vector<std::vector<Complex>>& solutions) {
  Stopwatch watch;
  TrialSolution result;
  FrequencyRecord& record = result.record;
  record.hz = hz;
  system.ranks().agree([&] { system.assemble(hz, matrix); });
  sides = system.right_hand_sides(hz, sets);
  solutions.resize(sets.size());
  record.seconds_assembly = watch.lap();
  try {
    update = {system.line_update(hz, system.space())};
    const fem::LinearFigures figures = fem::solve_updated(
        update, [&](const auto& b, auto& x) { return solve(matrix, b, x); }, system.ranks(), sides, solutions);
    keep_figures(figures, record);
    result.solver_bytes = figures.bytes;
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("at {:.9g} Hz: {}", hz, error.what()));
  }
  return result;
}

template <class Solver>
SolveSystem solution_by(Solver& solver) {
  return [&solver](const auto& matrix, const auto& sides, auto& x) {
    for (auto& solution : x) solution.resize(static_cast<std::size_t>(matrix.pattern->rows()));
    return solver.solve(matrix, sides, x);
  };
}

/// Solves the frequencies of one rank and keeps what is asked of them.
class Sweep {
 public:
  /// `solver`: of begin_solver.
  Sweep(const Case& given, const FrequencySetup& setup, std::optional<fem::LinearSolver<Complex>> solver,
        const comm::Communicator& ranks)
      : given_(given),
        setup_(setup),
        ranks_(ranks),
        wanted_(wanted_frequencies(given)),
        sets_(driven_sets(given)),
        solver_(std::move(solver)) {
    ranks_.agree([&] {
      if (!solver_) solver_ = begin_solver(setup_, ranks_);
    });
    clock_.end("solver");
    SurfaceCurrents* inner = setup.boundary ? &setup.boundary->inner() : nullptr;
    const bool is_near = !given.outputs.near_fields.empty();
    if (given.outputs.far_field || is_near) far_field_.emplace(given, *setup.base, *setup.system, inner, setup.threads);
    if (is_near) near_fields_.emplace(given, *setup.base, *setup.system, *far_field_, *setup.near_sums, setup.threads);
    clock_.end("surface");
  }

  /// Seconds of the phases on this rank, by name; of a direct solver its own.
  [[nodiscard]] std::vector<std::pair<std::string, double>> seconds() const {
    auto result = clock_.phases();
    if (solver_)
      for (const auto& [part, seconds] : solver_->parts()) result.emplace_back("solver_" + part, seconds);
    return result;
  }

  /// A collective.
  void run() {
    if (is_fast(given_))
      run_fast();
    else if (setup_.shared_solver)
      for (std::size_t f = 0; f < wanted_.all_hz.size(); ++f) solve(solution_by(*setup_.shared_solver), nullptr, f, {});
    else
      ranks_.agree([&] { run_all(); });
  }

  /// On rank 0 everything, elsewhere nothing. A collective.
  void gather(FrequencyOutcome& outcome) {
    if (setup_.shared_solver) {
      outcome.shared = gather_shares();
    } else {
      records_ = ranks_.gather(std::span<const double>(records_));
      far_fields_ = ranks_.gather(std::span<const double>(far_fields_));
      fields_ = ranks_.gather(std::span<const double>(fields_));
      near_ = ranks_.gather(std::span<const double>(near_));
    }
    outcome.solver_bytes = ranks_.max(bytes_);
    outcome.sweep = report_;
    if (ranks_.rank() != 0) return;
    outcome.records = take_records(records_, sets_.size(), given_.ports.size(), given_.outputs.probes.size());
    std::sort(outcome.records.begin(), outcome.records.end(), [](const auto& a, const auto& b) { return a.hz < b.hz; });
    outcome.sets = sets_;
    if (given_.outputs.far_field) take_far_fields(outcome);
    if (near_fields_) outcome.near_fields = take_near_fields(given_, near_, sets_.size());
  }

  /// On rank 0, after `gather`; a collective of ranks that share the system.
  void write_fields(const std::filesystem::path& directory) const {
    if (wanted_.fields_hz.empty()) return;
    const march::Problem& problem = setup_.base->problem;
    const std::size_t n = setup_.system->space().functions;
    const std::size_t dofs = problem.fields.elements.size() * n;
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      results::FieldSeries series({problem, setup_.base->grids, 0, 0, setup_.threads, true},
                                  directory / "fields" / sets_[set].name, directory, setup_.system->ranks());
      series.write_sums([&](std::size_t f, bool imaginary) -> march::FieldDofs {
        const double* rows = block(fields_, 4 * dofs, f, set);
        return [=](march::Field which, std::int64_t first, std::int64_t count) {
          const std::size_t part = (which == march::Field::electric ? 0 : 2) + (imaginary ? 1 : 0);
          const double* from = rows + part * dofs + static_cast<std::size_t>(first) * n;
          return Numbers(from, from + static_cast<std::size_t>(count) * n);
        };
      });
    }
  }

 private:
  [[nodiscard]] SharedReport gather_shares() const {
    const fem::SharedSolver<Complex>& solver = *setup_.shared_solver;
    const fem::RankShareFigures share = solver.share();
    const std::int64_t memory = peak_resident_bytes();
    return {ranks_.gather(std::span<const fem::RankShareFigures>(&share, 1)),
            ranks_.gather(std::span<const fem::SharedSeconds>(&solver.seconds(), 1)),
            ranks_.gather(std::span<const std::int64_t>(&memory, 1))};
  }

  void run_all() {
    if (setup_.sums && !setup_.sums->leads()) return setup_.sums->serve();
    const auto end = [](SharedPairSums* sums) { sums->end(); };
    const std::unique_ptr<SharedPairSums, decltype(end)> sums(setup_.sums.get(), end);  // also when a solution fails
    const auto size = static_cast<std::size_t>(ranks_.size());
    for (std::size_t f = static_cast<std::size_t>(ranks_.rank()); f < wanted_.all_hz.size(); f += size)
      solve(solution_by(*solver_), &*solver_, f, {});
  }

  void run_fast() {
    std::optional<FastSweep> sweep;
    const bool shares = setup_.shared_solver != nullptr;
    const comm::Communicator ranks = shares ? comm::Communicator::self() : ranks_;  // that solve a frequency each
    ranks.agree([&] {
      const bool fields =
          !given_.outputs.probes.empty() || given_.outputs.fields || given_.outputs.far_field || near_fields_;
      std::optional<SweepBoundary> boundary;
      if (setup_.boundary) boundary = setup_.boundary->sweep(*setup_.system, wanted_.all_hz, sets_);
      sweep.emplace(*setup_.system, wanted_.all_hz, sets_, fields, given_.outputs.probes.empty(), std::move(boundary),
                    setup_.threads);
    });
    report_ = sweep->run(
        first_frequencies(), given_.frequency.sweep_tolerance,
        [&](std::size_t f, FastSweep::Unknowns start) {
          return shares ? solve(solution_by(*setup_.shared_solver), nullptr, f, std::move(start))
                        : solve(solution_by(*solver_), &*solver_, f, std::move(start));
        },
        ranks);
    bytes_ += report_->bytes;
    ranks.agree([&] {
      const auto size = static_cast<std::size_t>(ranks.size());
      for (std::size_t f = static_cast<std::size_t>(ranks.rank()); f < wanted_.all_hz.size(); f += size)
        if (!sweep->is_solved(f)) keep_point(*sweep, f);
    });
  }

  /// Where whole fields are asked for, if that is not often, and the ends of the band, which come first; and more of it
  /// with an integral equation, whose model is made for all of them at once.
  [[nodiscard]] std::vector<std::size_t> first_frequencies() const {
    constexpr std::size_t most = 12;
    std::set<std::size_t> wanted;
    for (const auto* list : {&wanted_.far_field_hz, &wanted_.fields_hz, &wanted_.near_field_hz})
      for (const double hz : *list) wanted.insert(*place_of(wanted_.all_hz, hz));
    if (wanted.size() > most) wanted.clear();
    std::vector<std::size_t> first(wanted.begin(), wanted.end());
    const std::size_t last = wanted_.all_hz.size() - 1;
    std::vector<std::size_t> always{last, 0};
    if (setup_.boundary) always.insert(always.end(), {last / 4, last / 2, last - last / 4});
    for (const std::size_t f : always)
      if (wanted.insert(f).second) first.push_back(f);
    return first;
  }

  void keep_point(const FastSweep& sweep, std::size_t f) {
    const double hz = wanted_.all_hz[f];
    const bool whole =
        place_of(wanted_.far_field_hz, hz) || place_of(wanted_.fields_hz, hz) || place_of(wanted_.near_field_hz, hz);
    const FastSweep::Point point = sweep.at(f, whole);
    FrequencyRecord record;
    record.hz = hz;
    record.solved = false;
    record.error = point.estimate.error;
    record.iterations.assign(sets_.size(), 0);
    record.residual = point.estimate.residual;
    record.ports = point.ports;
    if (!point.ports.empty()) record.probes.resize(sets_.size());
    for (std::size_t set = 0; set < point.fields.size(); ++set) keep(record, set, f, point.fields[set]);
    keep_radiation(record, f, point.fields);
    put(records_, record);
  }

  /// Returns the unknowns, set by set. `again`: of mode fe-iiee, the same solver.
  std::vector<std::vector<Complex>> solve(const SolveSystem& by, fem::LinearSolver<Complex>* again, std::size_t f,
                                          std::vector<std::vector<Complex>> solutions) {
    std::vector<std::vector<Complex>> sides;
    const double hz = wanted_.all_hz[f];
    if (place_of(wanted_.far_field_hz, hz) || place_of(wanted_.near_field_hz, hz)) far_field_->surface().prepare(hz);
    clock_.end("surface");
    fem::SolvedUpdate update;
    std::vector<FieldSolution> fields = setup_.system->complete(hz, sets_);
    const SolveSystem with_boundary = [&](const auto& matrix, const auto& of_sets, auto& x) {
      const bool is_left = setup_.boundary->prepare(*setup_.system, matrix, sides, fields);
      return is_left && is_resident(*again, update) ? factorise(*again, matrix, sets_.size()) : by(matrix, of_sets, x);
    };
    TrialSolution solved = solve_system(*setup_.system, setup_.boundary ? with_boundary : by, hz, matrix_, update,
                                        sets_, sides, solutions);
    clock_.end("systems");
    bytes_ = std::max(bytes_, solved.solver_bytes);
    for (std::size_t set = 0; set < sets_.size(); ++set) fields[set].unknowns = std::move(solutions[set]);
    if (setup_.boundary) iterate(*again, update, sides, solved.record, fields);
    for (std::size_t set = 0; set < sets_.size(); ++set) keep(solved.record, set, f, fields[set]);
    clock_.end("readings");
    keep_radiation(solved.record, f, fields);
    clock_.end("radiation");
    put(records_, solved.record);
    if (!is_fast(given_)) report(solved.record, f);
    solutions.clear();
    for (FieldSolution& field : fields) solutions.push_back(std::move(field.unknowns));
    return solutions;
  }

  /// Whether columns on a device are all that a solution takes.
  static bool is_resident(const fem::LinearSolver<Complex>& solver, const fem::SolvedUpdate& update) {
    return solver.has_resident_factors() && update.update.is_empty();
  }
  static fem::LinearFigures factorise(fem::LinearSolver<Complex>& solver, const fem::CsrMatrix<Complex>& matrix,
                                      std::size_t sets) {
    std::vector<std::vector<Complex>> none;
    fem::LinearFigures figures = solver.solve(matrix, none, none);
    figures.iterations.assign(sets, 0);
    figures.residual.assign(sets, 0);
    return figures;
  }

  void iterate(fem::LinearSolver<Complex>& solver, fem::SolvedUpdate& update,
               const std::vector<std::vector<Complex>>& sides, FrequencyRecord& record,
               std::vector<FieldSolution>& fields) {
    BoundarySolver by{[&](const auto& b, auto& x) {
      return fem::solve_updated(
          update, [&](const auto& all, auto& of_all) { return solver.solve_again(all, of_all); },
          setup_.system->ranks(), b, x);
    }};
    if (is_resident(solver, update))
      by.solve_resident = [&](const auto& columns, double enough) { return solver.solve_resident(columns, enough); };
    const double tolerance =
        is_fast(given_) ? 0.1 * given_.frequency.sweep_tolerance : std::numeric_limits<double>::infinity();
    record.boundary = setup_.boundary->iterate(*setup_.system, by, sides, fields, tolerance);
    for (std::size_t set = 0; set < fields.size(); ++set) record.iterations[set] += record.boundary.iterations[set];
    record.residual = record.boundary.residual;
    record.seconds_solve += record.boundary.seconds_solve;
  }

  void keep(FrequencyRecord& record, std::size_t set, std::size_t f, const FieldSolution& field) {
    const FrequencySystem& system = *setup_.system;
    auto& ports = record.ports.emplace_back();
    for (std::size_t p = 0; p < given_.ports.size(); ++p) ports.push_back(system.at_port(p, field));
    auto& probes = record.probes.emplace_back();
    for (std::size_t p = 0; p < given_.outputs.probes.size(); ++p) probes.push_back(system.at_probe(p, field));
    const double hz = wanted_.all_hz[f];
    if (const auto k = place_of(wanted_.fields_hz, hz)) keep_fields(*k, set, field);
  }

  /// Of all sets at once.
  void keep_radiation(FrequencyRecord& record, std::size_t f, const std::vector<FieldSolution>& fields) {
    record.lost_w.assign(sets_.size(), std::numeric_limits<double>::quiet_NaN());
    if (place_of(wanted_.near_field_hz, wanted_.all_hz[f])) near_fields_->find(fields, near_);
    const auto k = place_of(wanted_.far_field_hz, wanted_.all_hz[f]);
    if (!k) return;
    if (!fields.front().set.ports.empty() && !fields.front().set.sources)
      record.lost_w = setup_.system->losses(fields, given_.outputs.far_field->mirrors);
    const std::vector<results::FarFieldResult> found = far_field_->find(fields);
    if (setup_.system->ranks().rank() != 0) return;
    for (std::size_t set = 0; set < fields.size(); ++set) {
      const Numbers numbers = to_numbers({found[set]});
      far_fields_.insert(far_fields_.end(), {static_cast<double>(*k), static_cast<double>(set)});
      far_fields_.insert(far_fields_.end(), numbers.begin(), numbers.end());
    }
  }

  void keep_fields(std::size_t k, std::size_t set, const FieldSolution& field) {
    fields_.insert(fields_.end(), {static_cast<double>(k), static_cast<double>(set)});
    const ElementFields fields = setup_.system->fields(setup_.base->problem.fields.elements, field);
    for (const auto* dofs : {&fields.electric, &fields.magnetic})
      for (const bool imaginary : {false, true})
        for (const Complex& value : *dofs) fields_.push_back(imaginary ? value.imag() : value.real());
  }

  /// The numbers of one frequency and set in blocks of `width` with two numbers before each.
  [[nodiscard]] static const double* block(const Numbers& blocks, std::size_t width, std::size_t k, std::size_t set) {
    for (std::size_t at = 0; at < blocks.size(); at += width + 2)
      if (blocks[at] == static_cast<double>(k) && blocks[at + 1] == static_cast<double>(set))
        return blocks.data() + at + 2;
    throw InternalError("every frequency that is asked for is solved");
  }

  void take_far_fields(FrequencyOutcome& outcome) const {
    const FarFieldRequest& spec = *given_.outputs.far_field;
    const std::size_t blocks = wanted_.far_field_hz.size() * sets_.size();
    const std::size_t width = far_fields_.size() / blocks - 2;
    outcome.surface_impedance = far_field_->impedance();
    for (std::size_t set = 0; set < sets_.size(); ++set) {
      auto& results = outcome.far_fields.emplace_back();
      for (const double hz : spec.frequencies_hz) {
        const double* from = block(far_fields_, width, *place_of(wanted_.far_field_hz, hz), set);
        results.push_back(from_numbers(Numbers(from, from + width), 1).front());
        results.back().is_steady = true;
      }
      if (!sets_[set].sources && !sets_[set].plane_wave)
        warn_of_powers(results, spec.frequencies_hz, PowerErrors::of_solution);
    }
  }

  void report(const FrequencyRecord& record, std::size_t f) {
    const auto now = std::chrono::steady_clock::now();
    if (setup_.system->ranks().rank() != 0) return;
    const bool last = f + static_cast<std::size_t>(setup_.shared_solver ? 1 : ranks_.size()) >= wanted_.all_hz.size();
    if (!last && record.boundary.converged && now - said_ < std::chrono::seconds(2)) return;
    said_ = now;
    log::info("frequency {} of {}: {}", f + 1, wanted_.all_hz.size(), describe(record));
  }

  const Case& given_;
  const FrequencySetup& setup_;
  comm::Communicator ranks_;
  WantedFrequencies wanted_;
  std::vector<DrivenSet> sets_;
  PhaseClock clock_;
  fem::CsrMatrix<Complex> matrix_;
  std::optional<fem::LinearSolver<Complex>> solver_;
  Numbers records_, far_fields_, fields_, near_;
  std::optional<FrequencyFarField> far_field_;
  std::optional<NearFields> near_fields_;
  std::int64_t bytes_ = 0;
  std::optional<SweepReport> report_;
  std::chrono::steady_clock::time_point said_{};
};

/// Throws UserError (unstable) where boundary values of fe-iiee still change.
void check_boundary_values(const Case& given, const std::vector<FrequencyRecord>& records) {
  if (given.iiee.iterations > 0) return;
  const auto is_open = [](const FrequencyRecord& record) { return !record.boundary.converged; };
  const auto first = std::find_if(records.begin(), records.end(), is_open);
  if (first == records.end()) return;
  const auto count = std::count_if(records.begin(), records.end(), is_open);
  fail(ExitCode::unstable,
       "at {:.9g} Hz{}: after iteration {} of the integral equation its boundary values still change by {:.2g} "
       "(iiee.tolerance {:.2g}): {}; results.h5 has the last iteration, marked with converged 0",
       first->hz, count > 1 ? tetrawave::format(" ({} of {} frequencies)", count, records.size()) : "",
       first->boundary.changes.size(), first->boundary.changes.back(), given.iiee.tolerance,
       given.iiee.method == OuterMethod::plain
           ? "use iiee.method gmres, put iiee.outer farther away, or raise iiee.max_iterations"
           : "put iiee.outer farther away, or raise iiee.max_iterations");
}

}  // namespace

bool is_fast(const Case& given) {
  const std::size_t frequencies = wanted_frequencies(given).all_hz.size();
  const bool may = given.mode == Mode::frequency_domain || (given.mode == Mode::fe_iiee && given.iiee.iterations == 0);
  return may && given.frequency.is_fast(frequencies) && frequencies > 2;
}

TrialSolution try_highest_frequency(const Case& given, const FrequencySetup& setup) {
  fem::CsrMatrix<Complex> matrix;
  fem::SolvedUpdate update;
  std::vector<std::vector<Complex>> sides, solutions;
  const auto solve_by = [&](auto& solver) {
    return solve_system(*setup.system, solution_by(solver), wanted_frequencies(given).all_hz.back(), matrix, update,
                        driven_sets(given), sides, solutions);
  };
  if (setup.shared_solver) return solve_by(*setup.shared_solver);
  fem::LinearSolver<Complex> solver = make_solver(setup);
  return solve_by(solver);
}

SolutionEstimate estimate_highest_frequency(const Case& given, const FrequencySetup& setup) {
  fem::CsrMatrix<Complex> matrix;
  SolutionEstimate estimate;
  estimate.hz = wanted_frequencies(given).all_hz.back();
  const std::vector<DrivenSet> sets = driven_sets(given);
  Stopwatch watch;
  setup.system->assemble(estimate.hz, matrix);
  const auto unknowns = static_cast<std::size_t>(setup.system->space().unknowns);
  const std::vector<Complex> side = sets.empty() ? std::vector<Complex>(unknowns, 1)  // of mode eigenmode any will do
                                                 : setup.system->right_hand_sides(estimate.hz, {sets.front()}).front();
  estimate.seconds_assembly = watch.lap();
  estimate.solution = setup.shared_solver ? setup.shared_solver->estimate(matrix, side, sets.size())
                                          : make_solver(setup).estimate(matrix, side, sets.size());
  return estimate;
}

void run_frequency_domain(const Case& spec, const FrequencyDomainOptions& options, const comm::Communicator& ranks) {
  Stopwatch watch;
  FrequencySetup setup =
      set_up_frequency_domain(spec, options.mesh_file, options.machine, ranks, [&](FrequencySetup& begun) {
        if (spec.solver.method == SolverMethod::direct) begun.begun_solver = begin_solver(begun, ranks);
      });
  const Case& given = setup.base->given;  // with the ports of all cells of an array
  for (const std::size_t p : setup.system->use_line_modes(setup.ports, wanted_frequencies(given).all_hz))
    setup.base->ports[p].follows_line = true;
  FrequencyOutcome outcome;
  outcome.elements = setup.base->mesh.global_element_count;
  outcome.unknowns = setup.system->unknowns();
  outcome.nonzeros = setup.nonzeros();
  outcome.ranks = ranks.size();
  outcome.threads = setup.threads;
  for (std::size_t p = 0; p < given.ports.size(); ++p) outcome.ports.push_back(setup.system->model(p));
  if (setup.boundary) outcome.boundary_faces = setup.boundary->count_faces();
  outcome.setup_seconds = ranks.max(watch.lap());
  log::info("finite elements: {} unknowns, {} non-zeros, {}, {}, {}", outcome.unknowns, outcome.nonzeros,
            counted(wanted_frequencies(given).all_hz.size(), "frequency", "frequencies"),
            counted(driven_sets(given).size(), "right-hand side", "right-hand sides"),
            describe_solver(given.solver, setup.solver_machine().direct_solver(),
                            setup.shared_solver && !fem::is_on_device(given.solver, setup.solver_machine())
                                ? ""
                                : setup.solver_machine().iterates_on()));
  if (const fem::AssemblyFigures* figures = setup.system->device_figures())
    log::info("matrices are assembled on {}: lists {:.2g} s, pattern {:.2g} s, {}",
              options.machine.assembly_device->name(), figures->seconds_input, figures->seconds_pattern,
              describe_bytes(figures->bytes));
  const auto drives = std::ssize(driven_sets(given));
  for (const std::string& warning : examine_frequencies(setup, drives, options.directory, ranks).fields.warnings)
    log::warning("{}", warning);
  ranks.agree([&] {
    if (ranks.rank() == 0 && options.begin) options.begin();
  });
  Sweep sweep(given, setup, std::move(setup.begun_solver), ranks);
  sweep.run();
  sweep.gather(outcome);
  outcome.solve_seconds = ranks.max(watch.lap());
  for (const auto& [phase, seconds] : setup.base->clock.phases())
    outcome.seconds.emplace_back("setup_" + phase, seconds);
  for (auto& phase : sweep.seconds()) outcome.seconds.push_back(std::move(phase));
  const fem::AssemblyFigures* of_device = setup.system->device_figures();
  outcome.assembly_bytes = ranks.max(of_device == nullptr ? std::int64_t{0} : of_device->most_bytes);
  outcome.host_memory_bytes = ranks.max(peak_resident_bytes());
  if (setup.shared_solver) sweep.write_fields(options.directory);
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    report_sweep(outcome, given.frequency.sweep_tolerance);
    if (outcome.shared) log::info("{}", describe(*outcome.shared, outcome.records));
    if (!setup.shared_solver) sweep.write_fields(options.directory);
    write_frequency_results(given, options, *setup.base, outcome);
    check_boundary_values(given, outcome.records);
  });
}

}  // namespace tetrawave::modes
