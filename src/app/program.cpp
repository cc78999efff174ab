#include "app/program.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/standard_output.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/printable.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

namespace {

void run_command(const CommandLine& line, const comm::Communicator& ranks) {
  log::start(line.quiet ? log::Verbosity::quiet : log::Verbosity::normal, ranks.rank() == 0);
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
    case Command::info:
      return print_info(ranks);
  }
}

/// Into the terminal and, once it is open, the run's log. Texts that begin with the place in the case say so
/// themselves.
void print_error(const std::string& text) {
  const bool complete =
      text.find(": error: ") != std::string::npos || text.find(" internal error: ") != std::string::npos;
  log::error("{}{}", complete ? "" : "tetrawave: error: ", text);
}

/// A failure that all ranks have agreed on, or met alike, is printed by rank 0. One that only this rank has seen is
/// printed here, and ends the others, which may wait for this rank.
int conclude(ExitCode code, const std::string& text, const comm::Communicator& ranks) {
  constexpr double patience_s = 5;
  const bool together = ranks.size() == 1 || comm::all_arrive_within(patience_s);
  if (!together || ranks.rank() == 0) print_error(text);
  if (!together) comm::abort_all(static_cast<int>(code));
  return static_cast<int>(code);
}

int guarded(int argc, char** argv, const comm::Communicator& ranks) {
  const bool speaks = ranks.rank() == 0;
  log::start(log::Verbosity::normal, speaks);
  try {
    const Parsed parsed = parse_command_line(argc, argv);
    if (parsed.help) {
      if (speaks) print(*parsed.help + "\n");
    } else {
      run_command(parsed.line, ranks);
    }
    ranks.agree([] { finish_output(); });
    return 0;
  } catch (const UserError& error) {
    return conclude(error.code(), error.what(), ranks);
  } catch (const std::bad_alloc&) {
    return conclude(ExitCode::out_of_memory, "out of host memory: use more ranks or a coarser mesh", ranks);
  } catch (const std::exception& error) {
    return conclude(ExitCode::internal,
                    "tetrawave: internal error: " + std::string(error.what()) + " (please report it with the case)",
                    ranks);
  }
}

/// OpenMP's threads spin for milliseconds where they wait for each other, which stops a march on a machine that has
/// other work to do. The runtime reads its settings before main, so the program starts itself again with a shorter
/// spin.
void limit_spinning(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", argv);  // returns only where it cannot be done: then as before
}

}  // namespace

int run_program(int argc, char** argv) {
  limit_spinning(argv);
  return_freed_memory();
  try {
    const comm::Scope mpi(argc, argv);
    return guarded(argc, argv, comm::Communicator::world());
  } catch (const UserError& error) {  // MPI did not start
    std::fprintf(stderr, "tetrawave: error: %s\n", printable(error.what()).c_str());
    return static_cast<int>(error.code());
  }
}

}  // namespace tetrawave::app
