#include <memory>

#include "app/backend.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/run_directory.hpp"
#include "app/version.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "modes/time_domain.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

namespace {

/// Makes the directory, opens the log and saves the case as run (rank 0).
std::unique_ptr<RunDirectory> open_run(const CommandLine& line, const Case& given,
                                       const std::filesystem::path& directory) {
  auto run = std::make_unique<RunDirectory>(directory, line.overwrite);
  log::to_file(run->staging() / "log.txt");
  store::write_text_atomically(run->staging() / "case.yaml", given.resolved_yaml);
  log::info("Tetrawave {} ({}): {}", version_text(), git_revision(), given.file.string());
  return run;
}

}  // namespace

void run_case(const CommandLine& line, const comm::Communicator& ranks) {
  Case given;
  ranks.agree([&] { given = read_case(line.case_file, line.overrides); });
  const ChosenBackend backend = choose_backend(line.backend, ranks);
  const auto directory = run_directory_of(line.case_file, line.output);
  std::unique_ptr<RunDirectory> run;
  ranks.agree([&] {
    if (ranks.rank() == 0) run = open_run(line, given, directory);
  });

  modes::TimeDomainOptions options;
  options.directory = directory;
  options.mesh_file = staging_folder_of(directory) / "mesh.h5";
  options.begin = [&run] { run->begin(); };
  options.make_engine = backend.make_engine;
  options.allow_oversubscribe = line.allow_oversubscribe;
  options.identity.version = version_text();
  options.identity.git_revision = git_revision();
  options.identity.backend = backend.name;
  options.identity.started = observe::time_stamp();
  ProgressLine progress(line.quiet);
  options.report = [&progress](const modes::Progress& p) { progress.show(p); };
  modes::run_time_domain(given, options, ranks);
  log::info("results: {}", (directory / "results.h5").string());
}

}  // namespace tetrawave::app
