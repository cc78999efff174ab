#include <algorithm>
#include <chrono>
#include <filesystem>

#include "app/binding.hpp"
#include "app/check/frequencies.hpp"
#include "app/check/implicit.hpp"
#include "app/check/report.hpp"
#include "app/check/statics.hpp"
#include "app/commands.hpp"
#include "app/run/temporary_directory.hpp"
#include "app/standard_output.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_lines.hpp"
#include "base/memory.hpp"
#include "case/read_case.hpp"
#include "modes/assembly_2d/assembly_2d.hpp"
#include "modes/fetd/fetd.hpp"
#include "modes/time_domain/start.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

/// Seconds per step, from a few steps with the initial state.
double time_a_step(modes::TimeDomainSetup& setup, const march::Start& start, const comm::Communicator& ranks) {
  setup.engine->start(start);
  const std::int64_t first = std::min<std::int64_t>(4, setup.steps / 2);  // no step beyond the end of the run
  setup.engine->advance(first);
  setup.engine->present_energy();
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t steps = std::min<std::int64_t>(16, setup.steps - first);
  setup.engine->advance(steps);
  setup.engine->present_energy();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return ranks.max(passed.count()) / static_cast<double>(steps);
}

CheckReport make_report(const Case& given, modes::TimeDomainSetup& setup, const ChosenBackend& backend,
                        const comm::Communicator& ranks) {
  CheckReport report{given, setup, &setup, modes::examine_case(setup, {}, ranks), {}, {}, 0, {}, 0};
  if (given.mode == Mode::time_domain) report.memory = modes::predict_memory(setup, backend.memory, ranks);
  report.disk = modes::predict_disk(setup, ranks);
  march::Start start;
  ranks.agree([&] { start = modes::make_start(setup, {}); });
  if (std::string lost = modes::find_lost_fields(setup, start, ranks); !lost.empty())
    report.check.warnings.push_back(std::move(lost));
  report.step_seconds = time_a_step(setup, start, ranks);
  report.device = setup.engine->device();
  return report;
}

}  // namespace

void check_case(const CommandLine& line, const comm::Communicator& ranks) {
  if (line.json) log::start(log::Verbosity::quiet, ranks.rank() == 0);
  log::keep_warnings();
  Case given;
  ranks.agree([&] { given = read_case(line.case_file, line.overrides); });
  if (line.solve && given.planar)
    fail(ExitCode::usage, "tetrawave: error: --solve is for tetrahedra; 'run' solves a case with dimension: 2");
  if (line.solve && (!is_harmonic(given.mode) || given.mode == Mode::eigenmode))
    fail(ExitCode::usage, "tetrawave: error: --solve is for modes frequency-domain and fe-iiee; the case has mode {}",
         name_of(given.mode));
  if (line.step && given.mode != Mode::time_domain && given.mode != Mode::fetd)
    fail(ExitCode::usage, "tetrawave: error: --step is for modes time-domain and fetd; the case has mode {}",
         name_of(given.mode));
  warn_of_threads(given.run.threads, ranks);
  std::unique_ptr<TemporaryDirectory> scratch;
  ranks.agree([&] {
    if (ranks.rank() == 0) scratch = std::make_unique<TemporaryDirectory>();
  });
  std::string directory = scratch ? scratch->path().string() : "";
  ranks.broadcast(directory);
  const fs::path mesh_file = fs::path(directory) / "mesh.h5";
  if (given.mode == Mode::assembly_2d) {
    modes::refuse_ranks(ranks);
    const nlohmann::ordered_json json = check_statics(given, mesh_file);
    print(line.json ? json_text(json) : to_text(json));
    return;
  }
  if (is_harmonic(given.mode)) {
    const std::string text = check_frequencies(given, mesh_file, line, ranks);
    if (ranks.rank() == 0) print(text);
    return;
  }
  ChosenBackend backend = choose_backend_of(given, line.backend, ranks);
  if (given.mode == Mode::fetd) refuse_idle_transport(backend, given);
  bind_ranks(backend, {true, given.run.transport}, ranks);
  const modes::Stepping stepping = given.mode == Mode::fetd ? modes::implicit_stepping(nullptr, nullptr)
                                                            : modes::explicit_stepping(backend.make_engine);
  const auto setup = modes::set_up(given, mesh_file, stepping, ranks);
  if (line.step) {
    const auto levels = static_cast<int>(setup->class_elements.size());
    if (ranks.rank() == 0)
      print(line.json ? json_text(step_to_json(setup->engine->step_plan(), levels))
                      : step_to_text(setup->engine->step_plan(), levels));
    return;
  }
  const CheckReport report = make_report(setup->given, *setup, backend, ranks);
  if (given.mode == Mode::fetd) {
    const std::string text = check_implicit(report, line.json, ranks);
    if (ranks.rank() == 0) print(text);
    return;
  }
  if (ranks.rank() == 0) print(line.json ? json_text(to_json(report)) : to_text(report));
}

}  // namespace tetrawave::app
