// A finished program run, with its output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tetrawave {

struct ChildResult {
  int exit_code = 0;       ///< valid if signal is 0
  int signal = 0;          ///< that ended it
  std::string output;      ///< standard output and standard error together
  int interrupted_by = 0;  ///< signal that asked this process to end meanwhile and ended the child instead
};

/// Whether an environment variable ("NAME=value") was set by an MPI launcher for one of its ranks. A program started by
/// a rank must not inherit those: an MPI library in it would mistake itself for that rank.
[[nodiscard]] bool is_launcher_variable(const std::string& variable);

/// Runs `program` with `arguments` (without a shell), with empty standard input, and without the MPI launcher's
/// variables. It does not outlive the calling thread, however that ends. SIGINT, SIGTERM and SIGHUP to this process end
/// it, too. Throws UserError (unavailable) if it does not start.
[[nodiscard]] ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments);

/// The signal that interrupted a run_child of this process; 0: none. The caller raises it after cleaning up.
[[nodiscard]] int interrupted_by();

}  // namespace tetrawave
