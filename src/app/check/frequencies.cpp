#include "app/check/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/backend.hpp"
#include "app/check/report.hpp"
#include "app/standard_output.hpp"
#include "base/memory.hpp"
#include "base/text/counted.hpp"
#include "modes/eigenmode/eigenmode.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "modes/planar/planar.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

struct Sizes {
  std::int64_t frequencies = 0;
  std::int64_t solutions = 0;  ///< frequencies that are solved; for a fast sweep the expected number
  std::int64_t right_hand_sides = 0;
  std::int64_t nonzeros = 0;
  std::int64_t solver_bytes = 0;
  std::int64_t memory_bytes = 0;  ///< maximum over ranks
  double predicted_seconds = -1;  ///< of all frequencies; negative: unknown
  modes::ResultSizes results;
  std::int64_t field_bytes = 0;
  Json trial;                                 ///< or estimate
  std::string solution;                       ///< the same as text
  std::optional<modes::OuterForecast> outer;  ///< fe-iiee
  fem::PairForecast sums;                     ///< fe-iiee
  bool compresses = false;                    ///< these, on CPUs
};

Json to_json(const CheckReport& report, const Sizes& sizes, bool solved) {
  Json json = fields_to_json(report);
  json["unknowns"] = report.unknowns;
  json["nonzeros"] = sizes.nonzeros;
  json["frequencies"] = sizes.frequencies;
  json["solutions"] = sizes.solutions;
  json["right_hand_sides"] = sizes.right_hand_sides;
  json[solved ? "trial" : "estimate"] = sizes.trial;
  json["memory_bytes_per_rank"] = sizes.memory_bytes;
  json["results_memory_bytes"] = static_cast<std::int64_t>(sizes.results.memory);
  json["disk_bytes"] = {{"results", static_cast<std::int64_t>(sizes.results.disk)}, {"fields", sizes.field_bytes}};
  json["device"] = "cpu";
  if (sizes.predicted_seconds >= 0) json["predicted_seconds"] = sizes.predicted_seconds;
  if (sizes.outer)
    json["iiee"] = {{"size", sizes.outer->size},
                    {"gap_wavelengths", sizes.outer->gap_wavelengths},
                    {"plain_rate", sizes.outer->rate},
                    {"plain_iterations", sizes.outer->plain},
                    {"gmres_iterations", sizes.outer->gmres},
                    {"pairs", sizes.sums.all},
                    {"compressed_pairs", sizes.sums.clusters},
                    {"compression_pairs", sizes.sums.build},
                    {"compression_bytes", sizes.sums.bytes},
                    {"compresses", sizes.compresses}};
  add_warnings(json, report.check.warnings);
  return json;
}

std::string to_text(const modes::OuterForecast& forecast) {
  return tetrawave::format(
      "  iiee           about {} iterations (gmres); plain: {}, {:.2f} of the error left in each (as around a sphere "
      "of "
      "k a {:.3g}, {:.2g} wavelengths inside of S)\n",
      forecast.gmres, forecast.plain > 0 ? std::to_string(forecast.plain) : std::string("none of a thousand"),
      forecast.rate, forecast.size, forecast.gap_wavelengths);
}

std::string to_text(const fem::PairForecast& sums, bool compresses) {
  return tetrawave::format(
      "  sums           {:.2g} pairs of points each; compressed {:.2g} and once {:.2g}, with {}: on CPUs {}\n",
      sums.all, sums.clusters, sums.build, describe_bytes(sums.bytes), compresses ? "compressed" : "all pairs");
}

std::string to_text(const CheckReport& report, const Sizes& sizes) {
  std::string text = fields_to_text(report);
  const bool resonates = report.given.mode == Mode::eigenmode;
  text += tetrawave::format(
      "systems: {}, {}, {} non-zeros\n",
      counted(static_cast<std::size_t>(sizes.frequencies), "frequency", "frequencies"),
      counted(static_cast<std::size_t>(sizes.right_hand_sides), "right-hand side", "right-hand sides"),
      with_commas(sizes.nonzeros));
  text += sizes.solution;
  if (sizes.outer) text += to_text(*sizes.outer) + to_text(sizes.sums, sizes.compresses);
  text += tetrawave::format("  memory         {} per rank, {} of it for the solver\n",
                            describe_bytes(sizes.memory_bytes), describe_bytes(sizes.solver_bytes));
  if (sizes.predicted_seconds >= 0)
    text += tetrawave::format("  {}    about {:.3g} s\n",
                              resonates ? tetrawave::format("{} resonances", report.given.eigenmode.count)
                              : sizes.solutions < sizes.frequencies
                                  ? tetrawave::format("fast sweep, about {} solutions", sizes.solutions)
                                  : std::string("all of them"),
                              sizes.predicted_seconds);
  text += tetrawave::format(
      "disk: {} of far fields and S-parameters, {} of fields; rank 0 needs {} of memory to write results\n",
      describe_bytes(static_cast<std::int64_t>(sizes.results.disk)), describe_bytes(sizes.field_bytes),
      describe_bytes(static_cast<std::int64_t>(sizes.results.memory)));
  return text + warnings_to_text(report);
}

/// Work of each rank by itself, or of all that share the system.
template <class Work>
void of_system(const modes::FrequencySetup& setup, const comm::Communicator& ranks, const Work& work) {
  if (setup.shared_solver)
    work();
  else
    ranks.agree(work);
}

/// By solving the system at the highest frequency.
void solve(const Case& given, const modes::FrequencySetup& setup, Sizes& sizes, const comm::Communicator& ranks) {
  modes::TrialSolution trial;
  of_system(setup, ranks, [&] { trial = modes::try_highest_frequency(given, setup); });
  const modes::FrequencyRecord& record = trial.record;
  sizes.trial = {{"frequency_hz", record.hz},
                 {"iterations", record.iterations},
                 {"residual", record.residual},
                 {"seconds_assembly", record.seconds_assembly},
                 {"seconds_preprocess", record.seconds_preprocess},
                 {"seconds_solve", record.seconds_solve},
                 {"solver_bytes", trial.solver_bytes}};
  const std::int64_t most = *std::max_element(record.iterations.begin(), record.iterations.end());
  sizes.solution = tetrawave::format("  at {:<11} {:.3g} s to assemble, {:.3g} s to solve{}, residual {:.2g}\n",
                                     with_prefix(record.hz, "Hz"), record.seconds_assembly,
                                     record.seconds_preprocess + record.seconds_solve,
                                     most > 0 ? tetrawave::format(" with {} iterations", with_commas(most)) : "",
                                     *std::max_element(record.residual.begin(), record.residual.end()));
  sizes.solver_bytes = trial.solver_bytes;
  sizes.memory_bytes = ranks.max(peak_resident_bytes());
  sizes.predicted_seconds = record.seconds_assembly + record.seconds_preprocess + record.seconds_solve;
}

/// By analysing the system at the highest frequency, or from some iterations.
void estimate(const Case& given, const modes::FrequencySetup& setup, Sizes& sizes, const comm::Communicator& ranks) {
  modes::SolutionEstimate found;
  of_system(setup, ranks, [&] { found = modes::estimate_highest_frequency(given, setup); });
  const fem::LinearEstimate& solution = found.solution;
  sizes.trial = {{"frequency_hz", found.hz},
                 {"seconds_assembly", found.seconds_assembly},
                 {"seconds_preprocess", solution.seconds_preprocess}};
  const std::string place =
      tetrawave::format("  at {:<11} {:.3g} s to assemble, ", with_prefix(found.hz, "Hz"), found.seconds_assembly);
  const bool direct = given.solver.method == SolverMethod::direct;
  if (direct) {
    const double all = solution.seconds_solve * static_cast<double>(sizes.right_hand_sides);
    sizes.trial["seconds_solve"] = all;
    sizes.trial["factor_entries"] = solution.factor_entries;
    sizes.predicted_seconds = found.seconds_assembly + solution.seconds_preprocess + all;
    sizes.solution = place + tetrawave::format(
                                 "about {:.3g} s to solve, factors of {:.3g} entries (estimated; --solve factorises)\n",
                                 solution.seconds_preprocess + all, solution.factor_entries);
  } else {
    sizes.trial["seconds_of_iteration"] = solution.seconds_solve;
    sizes.solution =
        place + tetrawave::format("{:.3g} s for the preconditioner, {:.3g} s per iteration (--solve counts them)\n",
                                  solution.seconds_preprocess, solution.seconds_solve);
  }
  sizes.trial["solver_bytes"] = sizes.solver_bytes = solution.bytes;
  sizes.memory_bytes = ranks.max(direct ? resident_bytes() + solution.bytes : peak_resident_bytes());
}

/// Of a case with `dimension: 2`.
Json check_plane(const Case& given, const std::filesystem::path& mesh_file) {
  const modes::PlanarCheck check = modes::check_planar_case(given, mesh_file);
  Json json;
  json["triangles"] = check.triangles;
  json["unknowns"] = check.unknowns;
  json["nonzeros"] = check.nonzeros;
  json["frequencies"] = check.frequencies;
  json["right_hand_sides"] = check.right_hand_sides;
  for (const results::PortModel& port : check.ports)
    json["ports"][port.name] = {{"impedance_ohm", port.impedance_ohm}, {"cutoff_hz", port.cutoff_hz}};
  json["estimate"] = {{"frequency_hz", check.hz},
                      {"seconds_assembly", check.seconds_assembly},
                      {"seconds_preprocess", check.solution.seconds_preprocess},
                      {"seconds_per_solution_or_iteration", check.solution.seconds_solve},
                      {"solver_bytes", check.solution.bytes}};
  add_warnings(json, check.warnings);
  return json;
}

}  // namespace

std::string check_frequencies(const Case& whole, const std::filesystem::path& mesh_file, const CommandLine& line,
                              const comm::Communicator& ranks) {
  if (whole.planar) {
    modes::refuse_ranks_of_planes(ranks);
    const Json json = check_plane(whole, mesh_file);
    return line.json ? json_text(json) : to_text(json);
  }
  const bool resonates = whole.mode == Mode::eigenmode;
  const Case spec = resonates ? modes::share_out(whole, ranks) : whole;
  const ChosenBackend backend = choose_backend(BackendChoice::cpu, ranks);
  const modes::FrequencySetup setup = modes::set_up_frequency_domain(
      spec, mesh_file, {backend.make_pair_sums, nullptr, outer_boundary_of(spec)}, ranks);
  const Case& given = setup.base->given;  // with the ports of all cells of an array
  Sizes sizes;
  sizes.frequencies = static_cast<std::int64_t>(modes::wanted_frequencies(given).all_hz.size());
  const bool fast = modes::is_fast(given);
  constexpr std::int64_t solutions_of_sweep = 15;  // 6 to 20 have been seen (decision 058)
  sizes.solutions = fast ? std::min(sizes.frequencies, solutions_of_sweep) : sizes.frequencies;
  sizes.right_hand_sides = resonates ? modes::expected_solutions(given.eigenmode)
                                     : static_cast<std::int64_t>(modes::driven_sets(given).size());
  (line.solve ? solve : estimate)(given, setup, sizes, ranks);
  modes::FrequencyCheck check = modes::examine_frequencies(setup, resonates ? 1 : sizes.right_hand_sides, {}, ranks);
  CheckReport report{given, *setup.base, nullptr, std::move(check.fields), {}, {}, 0, "cpu", setup.system->unknowns()};
  sizes.results = check.results;
  sizes.field_bytes = check.field_bytes;
  sizes.outer = check.outer;
  sizes.nonzeros = setup.nonzeros();
  const double at_once = setup.shared_solver ? 1 : static_cast<double>(ranks.size());
  if (sizes.predicted_seconds >= 0)
    sizes.predicted_seconds =
        ranks.max(sizes.predicted_seconds) * std::ceil(static_cast<double>(sizes.solutions) / at_once);
  if (setup.boundary) {
    const kernels::ClusterChoice choice = setup.boundary->mapping().clusters;
    sizes.sums = setup.boundary->forecast_sums(modes::wanted_frequencies(given).all_hz.back());
    sizes.compresses = choice.tolerance > 0 && (choice.sums == 0 || sizes.sums.pays(choice.sums, choice.speed));
    if (sizes.compresses) sizes.memory_bytes += sizes.sums.bytes;
  }
  if (line.json) return json_text(to_json(report, sizes, line.solve));
  return to_text(report, sizes);
}

}  // namespace tetrawave::app
