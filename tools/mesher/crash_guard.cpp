#include "crash_guard.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

namespace tetrawave::mesher {
namespace {

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What the handler needs is made before: a handler must not allocate.
std::string last_words;  // NOLINT: a signal handler has no other way to its data
int last_code = 0;       // NOLINT

extern "C" void say_last_words(int /*signal*/) {
  const ssize_t written = ::write(STDERR_FILENO, last_words.data(), last_words.size());
  ::_exit(written < 0 ? static_cast<int>(ExitCode::io) : last_code);
}

}  // namespace

CrashGuard::CrashGuard(ExitCode code, const std::string& text) {
  last_words = "tetrawave-mesh: error: " + text + "\n";
  last_code = static_cast<int>(code);
  for (const int signal : crash_signals) std::signal(signal, say_last_words);
}

CrashGuard::~CrashGuard() {
  for (const int signal : crash_signals) std::signal(signal, SIG_DFL);
}

}  // namespace tetrawave::mesher
