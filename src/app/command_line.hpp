// The command line as typed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench_options.hpp"
#include "base/transport.hpp"

namespace tetrawave::app {

enum class Command { run, check, mesh, study, info, bench, selftest, new_case, report, inspect };
enum class BackendChoice { automatic, cpu, cuda };

struct CommandLine {
  Command command = Command::info;
  std::filesystem::path case_file;
  std::vector<std::string> overrides;  ///< --set a.b.c=VALUE
  std::vector<std::string> results;    ///< --result, of a study
  bool allow_geo_commands = false;
  std::optional<std::filesystem::path> output;  ///< -o
  BackendChoice backend = BackendChoice::automatic;
  bool overwrite = false;
  bool resume = false;
  std::optional<double> max_wall_s;  ///< --max-wall
  bool allow_oversubscribe = false;
  Transport transport = Transport::automatic;  ///< for bench and selftest; a case has its own
  bool quiet = false;
  bool json = false;
  bool solve = false;
  bool step = false;                        ///< of a check: the actions of a step
  bool support = false;                     ///< of info: what works with what
  std::string kind;                         ///< of a new case
  std::vector<std::filesystem::path> runs;  ///< of a report
  bool no_forecast = false;
  BenchOptions bench;
};

/// Parses the options. Help, version, completion scripts and the manual page are returned as text (exit 0). Throws
/// UserError (usage) for bad options.
struct Parsed {
  CommandLine line;
  std::optional<std::string> help;
};
Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace tetrawave::app
