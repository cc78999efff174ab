#include "app/check_frequencies.hpp"

#include <algorithm>
#include <cmath>

#include "app/check_report.hpp"
#include "app/standard_output.hpp"
#include "base/memory.hpp"
#include "modes/free_space.hpp"
#include "modes/frequency_domain.hpp"
#include "modes/result_sizes.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

struct Sizes {
  std::int64_t frequencies = 0;
  std::int64_t right_hand_sides = 0;
  std::int64_t nonzeros = 0;
  std::int64_t memory_bytes = 0;  ///< of a rank, at most
  double predicted_seconds = 0;
  modes::ResultSizes results;
  std::int64_t field_bytes = 0;
};

Json to_json(const CheckReport& report, const Sizes& sizes, const modes::TrialSolution& trial) {
  Json json = fields_to_json(report);
  json["unknowns"] = report.unknowns;
  json["nonzeros"] = sizes.nonzeros;
  json["frequencies"] = sizes.frequencies;
  json["right_hand_sides"] = sizes.right_hand_sides;
  json["trial"] = {{"frequency_hz", trial.record.hz},
                   {"iterations", trial.record.iterations},
                   {"residual", trial.record.residual},
                   {"seconds_assembly", trial.record.seconds_assembly},
                   {"seconds_preprocess", trial.record.seconds_preprocess},
                   {"seconds_solve", trial.record.seconds_solve},
                   {"solver_bytes", trial.solver_bytes}};
  json["memory_bytes_per_rank"] = sizes.memory_bytes;
  json["results_memory_bytes"] = static_cast<std::int64_t>(sizes.results.memory);
  json["disk_bytes"] = {{"results", static_cast<std::int64_t>(sizes.results.disk)}, {"fields", sizes.field_bytes}};
  json["device"] = "cpu";
  json["predicted_seconds"] = sizes.predicted_seconds;
  json["warnings"] = report.check.warnings;
  return json;
}

std::string to_text(const CheckReport& report, const Sizes& sizes, const modes::TrialSolution& trial) {
  std::string text = fields_to_text(report);
  text += tetrawave::format("systems: {} frequencies, {} right-hand sides, {} non-zeros\n",
                            with_commas(sizes.frequencies), sizes.right_hand_sides, with_commas(sizes.nonzeros));
  const auto& record = trial.record;
  const std::int64_t most = *std::max_element(record.iterations.begin(), record.iterations.end());
  text += tetrawave::format("  at {:<11} {:.3g} s to assemble, {:.3g} s to solve{}, residual {:.2g}\n",
                            with_prefix(record.hz, "Hz"), record.seconds_assembly,
                            record.seconds_preprocess + record.seconds_solve,
                            most > 0 ? tetrawave::format(" with {} iterations", with_commas(most)) : "",
                            *std::max_element(record.residual.begin(), record.residual.end()));
  text += tetrawave::format("  memory         {} per rank, {} of it of the solver\n",
                            describe_bytes(sizes.memory_bytes), describe_bytes(trial.solver_bytes));
  text += tetrawave::format("  all of them    about {:.3g} s\n", sizes.predicted_seconds);
  text += tetrawave::format("disk: {} of far fields and S-parameters, {} of fields; rank 0 takes {} to write results\n",
                            describe_bytes(static_cast<std::int64_t>(sizes.results.disk)),
                            describe_bytes(sizes.field_bytes),
                            describe_bytes(static_cast<std::int64_t>(sizes.results.memory)));
  return text + warnings_to_text(report);
}

}  // namespace

std::string check_frequencies(const Case& given, const std::filesystem::path& mesh_file, bool as_json,
                              const comm::Communicator& ranks) {
  const modes::FrequencySetup setup = modes::set_up_frequency_domain(given, mesh_file, ranks);
  modes::TrialSolution trial;
  ranks.agree([&] { trial = modes::try_highest_frequency(given, setup); });
  CheckReport report{
      given, *setup.base, modes::examine_fields(given, *setup.base), {}, {}, 0, "cpu", setup.system->space().unknowns};
  Sizes sizes;
  sizes.frequencies = static_cast<std::int64_t>(modes::wanted_frequencies(given).all_hz.size());
  sizes.right_hand_sides = static_cast<std::int64_t>(modes::driven_sets(given).size());
  sizes.results = modes::size_of_results(given, sizes.right_hand_sides, sizes.frequencies);
  sizes.field_bytes = modes::predict_field_bytes(given, *setup.base, sizes.right_hand_sides, ranks);
  sizes.nonzeros = setup.system->pattern().nonzeros();
  sizes.memory_bytes = ranks.max(peak_resident_bytes());
  const double each = trial.record.seconds_assembly + trial.record.seconds_preprocess + trial.record.seconds_solve;
  sizes.predicted_seconds =
      ranks.max(each) * std::ceil(static_cast<double>(sizes.frequencies) / static_cast<double>(ranks.size()));
  for (std::string& warning :
       modes::find_shortages(sizes.results.disk + static_cast<double>(sizes.field_bytes), sizes.results.memory))
    report.check.warnings.push_back(std::move(warning));
  if (as_json) return json_text(to_json(report, sizes, trial));
  return to_text(report, sizes, trial);
}

}  // namespace tetrawave::app
