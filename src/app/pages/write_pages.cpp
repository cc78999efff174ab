#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "app/commands.hpp"
#include "app/standard_output.hpp"
#include "base/error.hpp"
#include "mesh/make/child_process.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* page_writer = "tetrawave-report";

bool is_page_writer(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// TETRAWAVE_REPORT in the environment, else beside the running program, else on the PATH.
fs::path find_page_writer(const fs::path& self) {
  if (const char* named = std::getenv("TETRAWAVE_REPORT"); named != nullptr && *named != '\0') {
    if (is_page_writer(named)) return named;
    fail(ExitCode::unavailable, "TETRAWAVE_REPORT names {}, which is not a program", named);
  }
  if (const fs::path beside = self.parent_path() / page_writer; is_page_writer(beside)) return beside;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path candidate = fs::path(folder.empty() ? "." : folder) / page_writer; is_page_writer(candidate))
      return candidate;
  fail(ExitCode::unavailable,
       "{} was not found; report and inspect need it. It is tools/{} in the source tree: set "
       "TETRAWAVE_REPORT to its path",
       page_writer, page_writer);
}

/// Runs it on one rank. It is told which program to ask for meshes and forecasts.
void run_page_writer(const std::vector<std::string>& arguments, const comm::Communicator& ranks) {
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    std::error_code failure;
    const fs::path self = fs::read_symlink("/proc/self/exe", failure);
    const fs::path writer = find_page_writer(self);
    if (!failure) ::setenv("TETRAWAVE_PROGRAM", self.c_str(), 1);
    const ChildResult result = run_child(writer, arguments);
    std::string text = result.output;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (result.interrupted_by != 0) fail(ExitCode::stopped, "stopped while {} wrote a page", page_writer);
    if (result.signal != 0) fail(ExitCode::internal, "{} was ended by signal {}", writer.string(), result.signal);
    if (result.exit_code == 126 || result.exit_code == 127)
      fail(ExitCode::unavailable,
           "{} did not start ({}): it needs Python 3; on Debian and Ubuntu: apt-get install python3-h5py "
           "python3-matplotlib python3-yaml",
           writer.string(), text);
    if (result.exit_code != 0) throw UserError(static_cast<ExitCode>(result.exit_code), text);
    print(text + "\n");
  });
}

std::vector<std::string> with_output(std::vector<std::string> arguments, const CommandLine& line) {
  if (line.output) arguments.insert(arguments.end(), {"-o", line.output->string()});
  return arguments;
}

}  // namespace

void write_report(const CommandLine& line, const comm::Communicator& ranks) {
  std::vector<std::string> arguments{"report"};
  for (const fs::path& run : line.runs) arguments.push_back(run.string());
  if (line.no_forecast) arguments.emplace_back("--no-forecast");
  run_page_writer(with_output(arguments, line), ranks);
}

void inspect_case(const CommandLine& line, const comm::Communicator& ranks) {
  std::vector<std::string> arguments{"inspect", line.case_file.string()};
  for (const std::string& given : line.overrides) arguments.insert(arguments.end(), {"--set", given});
  if (line.allow_geo_commands) arguments.emplace_back("--allow-geo-commands");
  run_page_writer(with_output(arguments, line), ranks);
}

}  // namespace tetrawave::app
