// A case of the frequency domain made ready on the ranks that solve it, the frequencies that it asks for, and what is
// probably wrong with it.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "case/spec/solver_notes.hpp"
#include "fem/edge/coarse_subspace.hpp"
#include "model/check/free_space.hpp"
#include "model/set_up/set_up_model.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"

namespace tetrawave::modes {

WantedFrequencies wanted_frequencies(const Case& given) {
  WantedFrequencies wanted;
  std::set<double> all(given.frequency.values_hz.begin(), given.frequency.values_hz.end());
  if (given.outputs.s_parameters) {
    wanted.s_parameters_hz = given.outputs.s_parameters->points > 0
                                 ? results::frequencies_of(*given.outputs.s_parameters)
                                 : given.frequency.values_hz;
    all.insert(wanted.s_parameters_hz.begin(), wanted.s_parameters_hz.end());
  }
  if (given.outputs.fields) wanted.fields_hz = given.outputs.fields->frequencies_hz;
  if (given.outputs.far_field) {
    const auto& asked = given.outputs.far_field->frequencies_hz;
    const std::set<double> unique(asked.begin(), asked.end());
    wanted.far_field_hz.assign(unique.begin(), unique.end());
  }
  all.insert(wanted.fields_hz.begin(), wanted.fields_hz.end());
  std::set<double> near;
  for (const NearFieldRequest& spec : given.outputs.near_fields)
    near.insert(spec.frequencies_hz.begin(), spec.frequencies_hz.end());
  wanted.near_field_hz.assign(near.begin(), near.end());
  all.insert(near.begin(), near.end());
  all.insert(wanted.far_field_hz.begin(), wanted.far_field_hz.end());
  wanted.all_hz.assign(all.begin(), all.end());
  return wanted;
}

namespace {

/// How many ranks solve frequencies, the first ones.
int solving_ranks(bool is_fast, std::size_t frequencies, const comm::Communicator& ranks) {
  return is_fast ? ranks.size()
                 : static_cast<int>(std::min<std::int64_t>(ranks.size(), static_cast<std::int64_t>(frequencies)));
}

}  // namespace

FrequencySetup set_up_frequency_domain(const Case& given, const std::filesystem::path& mesh_file,
                                       const FrequencyMachine& machine, const comm::Communicator& ranks,
                                       const std::function<void(FrequencySetup&)>& see_system) {
  FrequencySetup setup;
  setup.machine = machine;
  setup.threads = march::threads_of_rank({Precision::double_precision, given.run.threads, Transport::automatic}, ranks);
  if (machine.make_outer_boundary) {
    setup.boundary = machine.make_outer_boundary(given);
    std::unique_ptr<kernels::PairSums> own;
    ranks.agree([&] { own = machine.make_pair_sums(setup.threads, setup.boundary->mapping(), ranks); });
    setup.sums = std::make_unique<SharedPairSums>(
        std::move(own),
        ranks.split(ranks.rank() % solving_ranks(is_fast(given), wanted_frequencies(given).all_hz.size(), ranks)),
        setup.threads);
  }
  if (!given.outputs.near_fields.empty())
    ranks.agree([&] { setup.near_sums = machine.make_pair_sums(setup.threads, {}, ranks); });
  const bool shares = given.solver.shares_system;
  ModelRequest request{
      {mesh_file, ranks.rank() > 0 && !shares, setup.threads}, true, setup.boundary != nullptr, false, {}};
  if (setup.boundary) request.see_slab = [&](const MeshSlab& slab) { setup.boundary->see_slab(slab); };
  const comm::Communicator system_ranks = shares ? ranks : comm::Communicator::self();
  const auto make = [&] {
    setup.base = std::make_unique<Model>();
    setup.ports = set_up_model(*setup.base, given, request, system_ranks).ports;
    setup.system = std::make_unique<FrequencySystem>(setup.base->given, *setup.base, setup.ports, setup.threads,
                                                     system_ranks, machine.assembly_device.get());
    for (const auto& [phase, seconds] : setup.system->setup_seconds()) setup.base->clock.add(phase, seconds);
    if (see_system && !shares && setup.system->unknowns() > 0) see_system(setup);
    if (setup.boundary) setup.boundary->place(*setup.base, *setup.system, setup.solver_machine(), *setup.sums);
    if (setup.system->unknowns() == 0)
      fail(ExitCode::bad_case, "{}: error: no field is left to solve for: all edges of the mesh lie on metal",
           given.boundaries_place.text);
  };
  if (shares) {
    make();
    const FrequencySystem& system = *setup.system;
    const fem::SharedRows& rows = system.shared_space().rows;
    std::unique_ptr<fem::ApproximateInverse<Complex>> inverse;
    if (given.solver.method != SolverMethod::direct && given.solver.preconditioner == Preconditioner::oras)
      inverse = fem::make_schwarz(system.pattern(), rows, system.schwarz_overlap(), setup.solver_machine());
    setup.shared_solver = std::make_unique<fem::SharedSolver<Complex>>(
        given.solver, setup.solver_machine(), system.pattern(), fem::MatrixKind::symmetric, rows, std::move(inverse));
    return setup;
  }
  // The mesh of a geometry is made by rank 0, and read by the others.
  ranks.agree([&] {
    if (ranks.rank() == 0) make();
  });
  ranks.agree([&] {
    if (ranks.rank() != 0) make();
  });
  return setup;
}

fem::LinearSolver<Complex> make_solver(const FrequencySetup& setup) {
  const auto& spec = setup.base->given.solver;
  fem::Subspace coarse;
  std::unique_ptr<fem::ApproximateInverse<Complex>> inverse;
  if (spec.method != SolverMethod::direct && spec.preconditioner == Preconditioner::p_multigrid)
    coarse = fem::coarse_subspace(setup.system->space(), setup.base->mesh.vertices);
  if (spec.method != SolverMethod::direct && spec.preconditioner == Preconditioner::oras)
    inverse = setup.system->inverse_by_cells(setup.solver_machine());
  return {spec,
          setup.solver_machine(),
          setup.system->pattern(),
          fem::MatrixKind::symmetric,
          comm::Communicator::self(),
          std::move(coarse),
          std::move(inverse)};
}

std::optional<fem::LinearSolver<Complex>> begin_solver(const FrequencySetup& setup, const comm::Communicator& ranks) {
  if (setup.shared_solver || (setup.sums && !setup.sums->leads())) return std::nullopt;
  const auto& given = setup.base->given;
  std::optional<fem::LinearSolver<Complex>> solver = make_solver(setup);
  if (is_fast(given) || static_cast<std::size_t>(ranks.rank()) < wanted_frequencies(given).all_hz.size())
    solver->begin_analysis();
  return solver;
}

FrequencyCheck examine_frequencies(const FrequencySetup& setup, std::int64_t drives,
                                   const std::filesystem::path& folder, const comm::Communicator& ranks) {
  const auto& given = setup.base->given;
  const std::vector<double> all_hz = wanted_frequencies(given).all_hz;
  FrequencyCheck check;
  check.fields = examine_fields(given, *setup.base);
  check.results = size_of_results(given, drives, std::ssize(all_hz));
  check.field_bytes = predict_field_bytes(given, *setup.base, drives, 0, ranks);
  if (setup.boundary) check.outer = setup.boundary->forecast(all_hz.back());
  const auto slow = check.outer ? setup.boundary->warning(*check.outer) : std::nullopt;
  if (slow) check.fields.warnings.push_back(*slow);
  add_to(check.fields.warnings, find_idle_keys(given.solver));
  const double files = check.results.disk + static_cast<double>(check.field_bytes);
  add_to(check.fields.warnings, find_shortages(files, check.results.memory, folder));
  return check;
}

std::optional<std::size_t> place_of(const std::vector<double>& list, double hz) {
  const auto found = std::find(list.begin(), list.end(), hz);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace tetrawave::modes
