#include "mesh/make/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
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

/// State for the signal handler: the running child, and the signal that arrived meanwhile.
std::atomic<pid_t> running_child{0};
volatile std::sig_atomic_t caught_signal = 0;

extern "C" void end_child(int number) {
  caught_signal = number;
  if (const pid_t child = running_child.load(); child > 0) ::kill(child, SIGKILL);
}

/// During its lifetime, signals that ask this process to end, end the child instead and are recorded. Ignored signals
/// (nohup) stay ignored.
class EndingSignals {
 public:
  EndingSignals() {
    caught_signal = 0;
    struct sigaction action {};
    action.sa_handler = end_child;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      sigaction(numbers[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, nullptr);
    }
  }
  ~EndingSignals() {
    running_child = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) sigaction(numbers[i], &before_[i], nullptr);
  }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  static constexpr std::array<int, 3> numbers{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, numbers.size()> before_{};
};

/// Until the end of the stream, or a timeout.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (caught_signal == 0) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) ensure(errno == EINTR, "a child that was started can be waited for");
  return status;
}

/// Start-up data of the child.
struct Launch {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int sink;    ///< for standard output and error
  int report;  ///< receives errno if the program does not start
  pid_t parent;
};

/// In the child, after fork: only calls that are safe in a signal handler. The system kills it if its parent dies.
[[noreturn]] void become(const Launch& launch) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  const bool ready = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
                     ::dup2(launch.sink, STDOUT_FILENO) >= 0 && ::dup2(launch.sink, STDERR_FILENO) >= 0;
  if (ready && ::getppid() == launch.parent)  // else the parent died before it could be watched
    ::execve(launch.program, launch.arguments, launch.environment);
  const int reason = errno;
  ::_exit(::write(launch.report, &reason, sizeof reason) == sizeof reason ? 127 : 126);
}

/// Returns errno or 0.
int start(const std::filesystem::path& program, std::vector<std::string> arguments, int sink, pid_t& child) {
  arguments.insert(arguments.begin(), program.string());
  std::vector<std::string> environment = copy_environment();
  const std::vector<char*> argument_list = point_to(arguments);
  const std::vector<char*> environment_list = point_to(environment);
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) return errno;
  const Launch launch{program.c_str(), argument_list.data(), environment_list.data(), sink, report[1], ::getpid()};
  child = ::fork();
  if (child == 0) become(launch);
  int failure = child < 0 ? errno : 0;
  ::close(report[1]);
  if (child > 0) {
    running_child = child;
    if (caught_signal != 0) ::kill(child, SIGKILL);  // it came before the child was known
    while (::read(report[0], &failure, sizeof failure) < 0 && errno == EINTR) continue;
    if (failure != 0) wait_for(child);
  }
  ::close(report[0]);
  return failure;
}

/// Signal that interrupted run_child.
int interrupting_signal = 0;

}  // namespace

int interrupted_by() { return interrupting_signal; }

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
  const EndingSignals signals;
  pid_t child = 0;
  const int failure = start(program, arguments, ends[1], child);
  ::close(ends[1]);
  ChildResult result;
  if (failure == 0) result.output = read_all(ends[0]);
  ::close(ends[0]);
  if (failure != 0) fail(ExitCode::unavailable, "cannot start {}: {}", program.string(), std::strerror(failure));
  const int status = wait_for(child);
  result.interrupted_by = interrupting_signal = caught_signal;
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace tetrawave
