#include "mesh/make/run_mesher.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/make/child_process.hpp"
#include "store/atomic_file.hpp"
#include "store/file_list.hpp"

namespace tetrawave {
namespace {

constexpr const char* mesher_name = "tetrawave-mesh";
constexpr std::string_view error_mark = "tetrawave-mesh: error: ";
constexpr std::string_view warning_mark = "tetrawave-mesh: warning: ";

bool geo_commands_allowed = false;  // NOLINT: of the process, like its command line

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;  // a folder on the PATH may be closed to this user
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::filesystem::path look_on_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder.empty() ? "." : folder) / mesher_name;
    if (is_program(candidate)) return candidate;
  }
  return {};
}

std::vector<std::string> list_arguments(const MeshInput& spec, double unit_m, const std::filesystem::path& output,
                                        int dimension, bool takes_curved) {
  std::vector<std::string> arguments{spec.file.string(), "-o", output.string(), "--unit-m",
                                     tetrawave::format("{}", unit_m)};
  const auto add = [&](const std::string& option, const std::string& value) {
    arguments.push_back(option);
    arguments.push_back(value);
  };
  if (spec.order != 0) add("--order", std::to_string(spec.order));
  if (spec.order == 0 && !takes_curved) arguments.emplace_back("--straight");
  if (dimension != 3) add("--dim", std::to_string(dimension));
  if (spec.size_m) add("--size", tetrawave::format("{}", *spec.size_m / unit_m));
  for (const auto& [name, value] : spec.parameters) add("--set", tetrawave::format("{}={}", name, value));
  if (geo_commands_allowed) arguments.emplace_back("--allow-geo-commands");
  return arguments;
}

// The lines marked as errors by the mesher, without the mark; everything if none is marked.
std::string find_error(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (line.compare(0, error_mark.size(), error_mark) == 0)
      text += (text.empty() ? "" : "; ") + line.substr(error_mark.size());
  return text.empty() ? output : text;
}

// Exit codes of the mesher are those of this program; others come from the system, for example if a library is missing.
ExitCode translate(int exit_code) {
  constexpr std::array known{ExitCode::bad_mesh, ExitCode::missing_input, ExitCode::internal, ExitCode::out_of_memory,
                             ExitCode::io,       ExitCode::bad_case};
  for (const ExitCode code : known)
    if (exit_code == static_cast<int>(code)) return code;
  // Options come from the case, so errors in them are reported to its author.
  return exit_code == static_cast<int>(ExitCode::usage) ? ExitCode::bad_case : ExitCode::unavailable;
}

[[noreturn]] void fail_at(const Place& place, ExitCode code, const std::string& text) {
  throw UserError(code, place.text.empty() ? text : place.text + ": error: " + text);
}

void tell(const Place& place, const std::string& line) {
  if (line.compare(0, warning_mark.size(), warning_mark) != 0) return log::info("{}", line);
  log::warning("{}: {}: curved ones are for modes frequency-domain, fe-iiee and eigenmode", place.text,
               line.substr(warning_mark.size()));
}

}  // namespace

std::filesystem::path find_mesher() {
  if (const char* named = std::getenv("TETRAWAVE_MESHER"); named != nullptr && *named != '\0') {
    if (is_program(named)) return named;
    fail(ExitCode::unavailable, "TETRAWAVE_MESHER names {}, which is not a program", named);
  }
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path beside = self.parent_path() / mesher_name;
  if (!failure && is_program(beside)) return beside;
  if (const std::filesystem::path found = look_on_path(); !found.empty()) return found;
  fail(ExitCode::unavailable,
       "{} was not found; geometry and .msh files need it. Install libgmsh-dev and build again, "
       "or set TETRAWAVE_MESHER to the program, or make the mesh elsewhere with '{} INPUT -o "
       "MESH.h5' and name MESH.h5 as mesh.file",
       mesher_name, mesher_name);
}

void allow_geo_commands() { geo_commands_allowed = true; }

void run_mesher(const MeshInput& spec, double unit_m, const std::filesystem::path& output, int dimension,
                bool takes_curved) {
  store::note_file(output);
  ChildResult result;
  std::filesystem::path program;
  try {
    program = find_mesher();
    result = run_child(program, list_arguments(spec, unit_m, output, dimension, takes_curved));
  } catch (const UserError& error) {
    fail_at(spec.place, error.code(), error.what());
  }
  if (result.signal != 0) const store::AtomicFile half_written(output);  // removes it
  if (result.interrupted_by != 0)
    fail_at(spec.place, ExitCode::stopped,
            tetrawave::format("stopped by signal {} ({}) while {} meshed {}", result.interrupted_by,
                              ::strsignal(result.interrupted_by), mesher_name, spec.file.string()));
  if (result.signal != 0)
    fail_at(spec.place, ExitCode::internal,
            tetrawave::format("{} was ended by signal {}{} while it meshed {}", mesher_name, result.signal,
                              result.signal == 9 ? " (out of memory?)" : "", spec.file.string()));
  if (result.exit_code != 0)
    fail_at(spec.place, translate(result.exit_code),
            result.output.empty()
                ? tetrawave::format("{} ended with exit code {} and no message", program.string(), result.exit_code)
                : find_error(result.output));
  if (!std::filesystem::exists(output))
    fail_at(spec.place, ExitCode::unavailable,
            tetrawave::format("{} has written no mesh of {}: it is not {}", program.string(), spec.file.string(),
                              mesher_name));
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) tell(spec.place, line);
}

}  // namespace tetrawave
