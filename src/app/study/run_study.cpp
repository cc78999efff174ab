#include <memory>

#include "app/backend.hpp"
#include "app/commands.hpp"
#include "app/run/run_directory.hpp"
#include "app/study/field_study.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "modes/assembly_2d/assembly_2d.hpp"
#include "modes/study/study.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

void run_study(const CommandLine& line, const comm::Communicator& ranks) {
  Case given;
  std::vector<WantedResult> results;
  std::vector<modes::StudyRun> runs;
  ranks.agree([&] {
    given = read_case(line.case_file, line.overrides);
    std::vector<std::string> ports;
    for (const PortDescription& port : given.ports) ports.push_back(port.name);
    for (const std::string& text : line.results) results.push_back(parse_result(text, ports));
    runs = modes::list_study_runs(line.case_file, line.overrides, given);
    if (given.mode != Mode::assembly_2d) return check_results(results, given, runs);
    if (!results.empty())
      fail(ExitCode::usage,
           "tetrawave: error: --result {}: needs runs that write results.h5, and those of mode assembly-2d do not",
           results.front().text);
  });
  const bool is_static = given.mode == Mode::assembly_2d;
  if (is_static) modes::refuse_ranks(ranks);
  const ChosenBackend backend =
      is_static ? choose_backend(line.backend, ranks) : choose_backend_of(given, line.backend, ranks);
  const auto directory = run_directory_of(line.case_file, line.output);
  std::unique_ptr<RunDirectory> run;
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    run = std::make_unique<RunDirectory>(directory, line.overwrite ? Earlier::replace : Earlier::refuse,
                                         mesh_file_of(given));
    log::to_file(run->staging() / "log.txt");
    log::info("Tetrawave {} ({}): {}, {} runs", version_text(), git_revision(), given.file.string(), runs.size());
    run->begin(false);
    store::write_text_atomically(directory / "case.yaml", given.resolved_yaml);
  });
  if (is_static)
    modes::run_study(given, runs, {directory, backend.solve_static, backend.name, identity_of(backend)});
  else
    run_field_study(line, given, runs, {directory, identity_of(backend), results}, ranks);
  log::info("table: {} and study.h5; tools/tetrawave-plot study {} draws it", (directory / "study.csv").string(),
            directory.string());
}

}  // namespace tetrawave::app
