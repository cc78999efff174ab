// A program run to its end, with what it prints.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tetrawave {

struct ChildResult {
  int exit_code = 0;   ///< meaningful when signal is 0
  int signal = 0;      ///< that ended it
  std::string output;  ///< standard output and standard error together
};

/// Whether an environment variable ("NAME=value") was set by an MPI launcher for one of its ranks. A program started by
/// a rank must not see those: an MPI library in it would take itself for that rank.
[[nodiscard]] bool is_launcher_variable(const std::string& variable);

/// Runs `program` with `arguments` (not through a shell), nothing on its standard input, and without the MPI launcher's
/// variables. Throws UserError (unavailable) when it does not start.
[[nodiscard]] ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace tetrawave
