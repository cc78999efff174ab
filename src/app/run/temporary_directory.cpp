#include "app/run/temporary_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace tetrawave::app {

namespace fs = std::filesystem;

namespace {

constexpr std::array<int, 3> ending_signals{SIGINT, SIGTERM, SIGHUP};

/// Descriptor of the live temporary directory, for signal handlers; -1 when there is none.
volatile int open_directory = -1;
std::array<char, 4096> open_path{};  // NOLINT: a signal handler has no other way to its data

/// The files in a directory, without subfolders: only calls that are safe in a signal handler.
void remove_files_in(int directory) {
  struct Entry {  // as the kernel writes it
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;
    std::uint8_t type;
    char name;
  };
  alignas(Entry) std::array<char, 4096> buffer{};
  ::lseek(directory, 0, SEEK_SET);
  for (;;) {
    const long got = ::syscall(SYS_getdents64, directory, buffer.data(), buffer.size());
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      ::unlinkat(directory, &entry->name, 0);
      at += entry->length;
    }
  }
}

/// The signal has its usual effect, but no files are left behind.
extern "C" void leave_nothing(int number) {
  if (open_directory >= 0) {
    remove_files_in(open_directory);
    ::rmdir(open_path.data());
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void set_handlers(void (*handler)(int), void (*instead_of)(int)) {
  for (const int number : ending_signals) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == instead_of) std::signal(number, handler);  // those that are ignored (nohup) stay so
  }
}

/// Names contain the host: locks do not always work across hosts.
std::string name_start() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return std::string("tetrawave-") + host.data() + "-";
}

/// A descriptor of the directory, locked by this process; -1 if it belongs to another process or is gone. A newly
/// created one may be on a file system without locks.
int lock_directory(const fs::path& path, bool just_made) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (just_made && errno != EWOULDBLOCK);
  struct stat state {};
  if (locked && ::fstat(descriptor, &state) == 0 && state.st_nlink > 0 && state.st_uid == ::geteuid())
    return descriptor;
  ::close(descriptor);
  return -1;
}

/// Directories of runs that were killed: their locks are free.
void remove_abandoned(const fs::path& folder, const std::string& start) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.size() != start.size() + 6 || !name.starts_with(start)) continue;
    const int lock = lock_directory(entry->path(), false);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const std::string start = name_start();
  if (!error) remove_abandoned(folder, start);
  constexpr int attempts = 100;  // another process may take it for abandoned before it is locked
  for (int i = 0; i < attempts && !error && lock_ < 0; ++i) {
    std::string pattern = (folder / (start + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) break;
    path_ = pattern;
    lock_ = lock_directory(path_, true);
  }
  if (lock_ < 0)
    fail(ExitCode::io, "cannot make a temporary directory{}: set TMPDIR to a folder where this is allowed",
         error ? "" : " in " + folder.string());
  if (path_.native().size() < open_path.size()) {
    std::strcpy(open_path.data(), path_.c_str());
    open_directory = lock_;
    set_handlers(leave_nothing, SIG_DFL);
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  set_handlers(SIG_DFL, leave_nothing);
  open_directory = -1;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_);
}

}  // namespace tetrawave::app
