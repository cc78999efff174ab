#include "mesh/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.hpp"

extern char** environ;  // NOLINT: POSIX

namespace tetrawave {
namespace {

std::vector<char*> point_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> copy_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_launcher_variable(*variable)) variables.emplace_back(*variable);
  return variables;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) ensure(errno == EINTR, "a child that was started can be waited for");
  return status;
}

// Standard input from nowhere; standard output and error both into `sink`. Returns errno or 0.
int spawn(const std::filesystem::path& program, std::vector<std::string> arguments, int sink, pid_t& child) {
  arguments.insert(arguments.begin(), program.string());
  std::vector<std::string> environment = copy_environment();
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, sink, STDOUT_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, sink, STDERR_FILENO);
  if (failure == 0)
    failure = posix_spawn(&child, program.c_str(), &actions, nullptr, point_to(arguments).data(),
                          point_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

}  // namespace

bool is_launcher_variable(const std::string& variable) {
  constexpr std::array<std::string_view, 15> prefixes{"OMPI_",         "PMIX_",        "PMI_",       "PRTE_",
                                                      "MPI_LOCAL",     "HYDRA_",       "HYDI_",      "SLURM_STEP",
                                                      "SLURM_PMI",     "SLURM_SRUN",   "SLURM_MPI",  "SLURM_PROCID",
                                                      "SLURM_LOCALID", "SLURM_NODEID", "SLURM_GTIDS"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return variable.compare(0, prefix.size(), prefix) == 0; });
}

ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    fail(ExitCode::unavailable, "cannot start {}: {}", program.string(), std::strerror(errno));
  pid_t child = 0;
  const int failure = spawn(program, arguments, ends[1], child);
  ::close(ends[1]);
  ChildResult result;
  if (failure == 0) result.output = read_all(ends[0]);
  ::close(ends[0]);
  if (failure != 0) fail(ExitCode::unavailable, "cannot start {}: {}", program.string(), std::strerror(failure));
  const int status = wait_for(child);
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace tetrawave
