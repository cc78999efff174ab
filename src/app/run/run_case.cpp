#include <memory>
#include <string>

#include "app/binding.hpp"
#include "app/commands.hpp"
#include "app/run/progress.hpp"
#include "app/run/run_directory.hpp"
#include "app/stop.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "case/read_case.hpp"
#include "modes/assembly_2d/assembly_2d.hpp"
#include "modes/eigenmode/eigenmode.hpp"
#include "modes/fetd/fetd.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "modes/planar/planar.hpp"
#include "modes/time_domain/time_domain.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

namespace {

Earlier earlier_of(const CommandLine& line) {
  if (line.resume) return Earlier::resume;
  return line.overwrite ? Earlier::replace : Earlier::refuse;
}

/// Makes the directory and opens the log (rank 0).
std::unique_ptr<RunDirectory> open_run(const CommandLine& line, const Case& given,
                                       const std::filesystem::path& directory) {
  auto run = std::make_unique<RunDirectory>(directory, earlier_of(line), mesh_file_of(given));
  log::to_file(run->staging() / "log.txt");
  log::info("Tetrawave {} ({}): {}", version_text(), git_revision(), given.file.string());
  return run;
}

/// A word quoted for the shell.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=/:,@%") ==
      std::string::npos)
    return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The command that resumes this run: same overrides, same backend (results are bitwise only there).
std::string resume_command(const CommandLine& line, const std::filesystem::path& directory, int ranks) {
  std::string command = ranks > 1 ? tetrawave::format("mpirun -n {} ", ranks) : "";
  command += "tetrawave run " + quoted(line.case_file.string()) + " -o " + quoted(directory.string());
  if (line.backend != BackendChoice::automatic)
    command += line.backend == BackendChoice::cpu ? " --backend cpu" : " --backend cuda";
  if (line.allow_oversubscribe) command += " --allow-oversubscribe";
  if (line.allow_geo_commands) command += " --allow-geo-commands";
  for (const std::string& text : line.overrides) command += " --set " + quoted(text);
  return command + " --resume";
}

/// Rejects options that a mode without time steps cannot use.
void refuse_march_options(const CommandLine& line, const char* mode) {
  const char* given = line.resume ? "--resume" : (line.max_wall_s ? "--max-wall" : nullptr);
  if (given != nullptr)
    fail(ExitCode::usage, "tetrawave: error: {}: mode {} has no time steps and no checkpoints", given, mode);
}

void run_frequencies(const CommandLine& line, const Case& given, const comm::Communicator& ranks) {
  refuse_march_options(line, name_of(given.mode));
  if (given.planar) modes::refuse_ranks_of_planes(ranks);
  ChosenBackend backend = choose_backend_of(given, line.backend, ranks);
  refuse_idle_transport(backend, given);
  const auto directory = run_directory_of(line.case_file, line.output);
  std::unique_ptr<RunDirectory> run;
  ranks.agree([&] {
    if (ranks.rank() == 0) run = open_run(line, given, directory);
  });
  if (ranks.size() > 1) {
    if (backend.iteration_device) bind_ranks(backend, {line.allow_oversubscribe, given.run.transport}, ranks);
    if (!uses_transport(backend, given)) backend.transport = name_of(Transport::mpi);
  }
  modes::FrequencyDomainOptions options;
  options.directory = directory;
  options.mesh_file = staging_folder_of(directory, earlier_of(line)) / "mesh.h5";
  options.begin = [&] {
    run->begin(false);
    store::write_text_atomically(directory / "case.yaml", given.resolved_yaml);
  };
  options.identity = identity_of(backend);
  options.device = backend.device;
  options.machine = {backend.make_pair_sums, backend.factor_device, outer_boundary_of(given), backend.iteration_device,
                     backend.assembly_device};
  const auto run_mode = given.planar                    ? modes::run_planar
                        : given.mode == Mode::eigenmode ? modes::run_eigenmodes
                                                        : modes::run_frequency_domain;
  run_mode(given, options, ranks);
  log::info("results: {}", (directory / "results.h5").string());
}

void run_statics(const CommandLine& line, const Case& given, const comm::Communicator& ranks) {
  refuse_march_options(line, "assembly-2d");
  modes::refuse_ranks(ranks);
  const ChosenBackend backend = choose_backend(line.backend, ranks);
  const auto directory = run_directory_of(line.case_file, line.output);
  const auto run = open_run(line, given, directory);
  modes::Assembly2DOptions options;
  options.directory = directory;
  options.mesh_file = run->staging() / "mesh.h5";
  options.solver = backend.solve_static;
  options.backend = backend.name;
  options.begin = [&] {
    run->begin(false);
    store::write_text_atomically(directory / "case.yaml", given.resolved_yaml);
  };
  options.identity = identity_of(backend);
  modes::run_assembly_2d(given, options, ranks);
  log::info("results: {}", (directory / "results.h5").string());
}

}  // namespace

void run_case(const CommandLine& line, const comm::Communicator& ranks) {
  Case given;
  ranks.agree([&] { given = read_case(line.case_file, line.overrides); });
  run_read_case(line, given, ranks);
}

void run_read_case(const CommandLine& line, const Case& given, const comm::Communicator& ranks) {
  warn_of_threads(given.run.threads, ranks);
  if (given.mode == Mode::assembly_2d) return run_statics(line, given, ranks);
  if (is_harmonic(given.mode)) return run_frequencies(line, given, ranks);
  StopRequest stop(line.max_wall_s);
  ChosenBackend backend = choose_backend_of(given, line.backend, ranks);
  if (given.mode == Mode::fetd) refuse_idle_transport(backend, given);
  const auto directory = run_directory_of(line.case_file, line.output);
  std::unique_ptr<RunDirectory> run;
  ranks.agree([&] {
    if (ranks.rank() == 0) run = open_run(line, given, directory);
  });
  bind_ranks(backend, {line.allow_oversubscribe, given.run.transport}, ranks);

  modes::TimeDomainOptions options;
  options.directory = directory;
  options.mesh_file = staging_folder_of(directory, earlier_of(line)) / "mesh.h5";
  options.begin = [&] {
    run->begin();
    store::write_text_atomically(directory / "case.yaml", given.resolved_yaml);
  };
  options.stepping =
      given.mode == Mode::fetd
          ? modes::implicit_stepping(backend.factor_device, backend.iteration_device, backend.assembly_device)
          : modes::explicit_stepping(backend.make_engine);
  options.identity = identity_of(backend);
  options.resume = line.resume;
  options.why_stop = [&stop] { return stop.reason(); };
  options.marching = [&stop](bool begins) { begins ? stop.listen() : stop.finish(); };
  options.resume_command = resume_command(line, directory, ranks.size());
  ProgressLine progress(line.quiet);
  options.report = [&progress](const modes::Progress& p) { progress.show(p); };
  modes::run_time_domain(given, options, ranks);
  log::info("results: {}", (directory / "results.h5").string());
}

}  // namespace tetrawave::app
