#include "app/program.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/standard_output.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "comm/communicator.hpp"
#include "comm/launch.hpp"
#include "mesh/make/child_process.hpp"
#include "mesh/make/run_mesher.hpp"

namespace tetrawave::app {

namespace {

void run_command(const CommandLine& line, const comm::Communicator& ranks) {
  log::start(line.quiet ? log::Verbosity::quiet : log::Verbosity::normal, ranks.rank() == 0);
  if (line.allow_geo_commands) allow_geo_commands();
  switch (line.command) {
    case Command::run:
      return run_case(line, ranks);
    case Command::check:
      return check_case(line, ranks);
    case Command::mesh:
      return make_mesh(line, ranks);
    case Command::bench:
      return run_bench(line, ranks);
    case Command::study:
      return run_study(line, ranks);
    case Command::selftest:
      return run_selftest(line, ranks);
    case Command::new_case:
      return write_new_case(line, ranks);
    case Command::report:
      return write_report(line, ranks);
    case Command::inspect:
      return inspect_case(line, ranks);
    case Command::info:
      return print_info(line, ranks);
  }
}

/// Writes to the terminal and, once it is open, the run's log. Texts that start with a place in the case get no prefix.
void print_error(const std::string& text) {
  const bool complete =
      text.find(": error: ") != std::string::npos || text.find(" internal error: ") != std::string::npos;
  log::error("{}{}", complete ? "" : "tetrawave: error: ", text);
}

/// A failure that all ranks agreed on, or met together, is printed by rank 0. One seen only by this rank is printed
/// here, and aborts the other ranks, which may be waiting for this one.
int conclude(ExitCode code, const std::string& text, bool has_ranks) {
  if (!has_ranks) {
    print_error(text);
    return static_cast<int>(code);
  }
  constexpr double patience_s = 5;
  const comm::Communicator& ranks = comm::Communicator::world();
  const bool together = ranks.size() == 1 || comm::all_arrive_within(patience_s);
  if (!together || ranks.rank() == 0) print_error(text);
  if (!together) comm::abort_all(static_cast<int>(code));
  return static_cast<int>(code);
}

/// MPI starts once the command line is valid; under a launcher before that, so that only one rank reports errors.
int guarded(int argc, char** argv) {
  std::optional<comm::Scope> mpi;
  log::start(log::Verbosity::normal, true);
  try {
    if (comm::is_launched()) mpi.emplace(argc, argv);
    const bool is_root = !mpi || comm::Communicator::world().rank() == 0;
    log::start(log::Verbosity::normal, is_root);
    const Parsed parsed = parse_command_line(argc, argv);
    if (parsed.help && is_root) print(*parsed.help + "\n");
    if (!parsed.help) {
      if (!mpi) mpi.emplace(argc, argv);
      run_command(parsed.line, comm::Communicator::world());
    }
    mpi ? comm::Communicator::world().agree([] { finish_output(); }) : finish_output();
    return 0;
  } catch (const UserError& error) {
    return conclude(error.code(), error.what(), mpi.has_value());
  } catch (const std::bad_alloc&) {
    return conclude(ExitCode::out_of_memory, "out of host memory: use more ranks or a coarser mesh", mpi.has_value());
  } catch (const std::exception& error) {
    return conclude(ExitCode::internal,
                    "tetrawave: internal error: " + std::string(error.what()) + " (please report it with the case)",
                    mpi.has_value());
  }
}

/// By default OpenMP threads spin for milliseconds while waiting for each other, which stalls a run on shared cores;
/// they should sleep after some microseconds. The runtime reads its settings before main, so the program restarts
/// itself.
void limit_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "100", 1);
  execv("/proc/self/exe", argv);  // returns only where it cannot be done: then as before
}

}  // namespace

int run_program(int argc, char** argv) {
  limit_spinning(argv);
  return_freed_memory();
  const int code = guarded(argc, argv);
  if (const int signal = interrupted_by(); signal != 0) {  // shells are to see it
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  return code;
}

}  // namespace tetrawave::app
