// What the user typed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench_options.hpp"

namespace tetrawave::app {

enum class Command { run, check, mesh, study, info, bench };
enum class BackendChoice { automatic, cpu, cuda };

struct CommandLine {
  Command command = Command::info;
  std::filesystem::path case_file;
  std::vector<std::string> overrides;           ///< --set a.b.c=VALUE
  std::optional<std::filesystem::path> output;  ///< -o
  BackendChoice backend = BackendChoice::automatic;
  bool overwrite = false;
  bool resume = false;
  std::optional<double> max_wall_s;  ///< --max-wall
  bool allow_oversubscribe = false;
  bool quiet = false;
  bool json = false;
  BenchOptions bench;
};

/// Parses the options. Help and version are returned as text (exit 0). Throws UserError: usage for bad options,
/// bad_case for commands and options of parts to come ("not available yet in this version").
struct Parsed {
  CommandLine line;
  std::optional<std::string> help;
};
Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace tetrawave::app
