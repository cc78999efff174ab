// Functions of the C library that start programs or change files, defined here once more: libgmsh and the libraries
// below it then call these. Outside of a CommandGuard they do what the library's do.
#undef _FORTIFY_SOURCE  // has bodies of its own for some of them

#include "command_guard.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// Where Gmsh's parser is; not of its interface.
extern std::string gmsh_yyname __attribute__((weak));
extern int gmsh_yylineno __attribute__((weak));

namespace tetrawave::mesher {
namespace {

std::atomic<bool> in_gmsh{false};  // NOLINT: functions of the C library have no other way to it
std::atomic<bool> guards{false};   // NOLINT
bool allows_all = false;           // NOLINT
std::string input_name;            // NOLINT
std::string first_refusal;         // NOLINT
std::mutex mutex;                  // NOLINT

std::vector<std::string> lines_of(const std::string& file_name) {
  std::ifstream file(file_name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

bool acts(const std::string& line) {
  constexpr std::array words{"SystemCall", "Print", "Save", "CreateDir", "OnelabRun", "ExternalProcess", "Exit"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return line.find(word) != std::string::npos; });
}

/// The parser counts a line when it reads its end, which the last one may lack. After parsing there are the commands of
/// fields, which run while Gmsh meshes.
std::string find_place() {
  if (&gmsh_yyname == nullptr || &gmsh_yylineno == nullptr) return input_name;
  const bool parses = !gmsh_yyname.empty();
  const std::string& file = parses ? gmsh_yyname : input_name;
  const std::vector<std::string> lines = lines_of(file);
  const auto read = static_cast<std::size_t>(std::max(1, gmsh_yylineno));
  if (parses) return tetrawave::format("{}:{}", file, read == lines.size() && acts(lines.back()) ? read : read - 1);
  const auto field = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("ExternalProcess") != std::string::npos;
  });
  return field == lines.end() ? file : tetrawave::format("{}:{}", file, field - lines.begin() + 1);
}

void note(const std::string& text) {
  const std::lock_guard lock(mutex);
  if (first_refusal.empty()) first_refusal = find_place() + ": " + text;
}

/// Whether it is refused; then errno is set.
bool refuse(const char* deed, const char* object) {
  if (!guards) return false;
  note(
      tetrawave::format("the geometry would {} '{}': refused. --allow-geo-commands lets it run commands and write "
                        "files with all of your rights; look at what it does before",
                        deed, object));
  errno = EPERM;
  return true;
}

/// The same for what has to be there.
bool refuse_change(const char* deed, const char* path) { return ::access(path, F_OK) == 0 && refuse(deed, path); }

/// A pipe or a device, on which Gmsh would wait or read for ever.
bool is_endless(const char* path) {
  struct stat state {};
  if (!guards || path == nullptr || ::stat(path, &state) != 0) return false;
  const std::string_view name(path);
  const bool harmless = name == "/dev/null" || name == "/dev/urandom" || name == "/dev/random";
  if (S_ISREG(state.st_mode) || S_ISDIR(state.st_mode) || S_ISLNK(state.st_mode) || harmless) return false;
  note(tetrawave::format("the geometry reads '{}', which is no plain file", path));
  errno = EINVAL;
  return true;
}

bool refuse_opening(const char* path, bool writes) {
  return writes ? refuse("write the file", path) : is_endless(path);
}
bool refuse_opening(const char* path, int flags) {
  return refuse_opening(path, (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0);
}
bool refuse_opening(const char* path, const char* mode) {
  return refuse_opening(path, std::string_view(mode).find_first_of("wa+") != std::string_view::npos);
}

/// The C library's own.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Gmsh ends the process where a .geo file says so.
void tell_of_exit() {
  if (!in_gmsh) return;
  const std::string text =
      "tetrawave-mesh: error: " + find_place() + ": the geometry ends the program (Exit or Abort): there is no mesh\n";
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(static_cast<int>(written < 0 ? ExitCode::io : ExitCode::bad_case));
}

}  // namespace

CommandGuard::CommandGuard(const std::string& input) {
  input_name = input;
  static const int registered = std::atexit(tell_of_exit);
  in_gmsh = registered == 0;
  guards = !allows_all;
}

CommandGuard::~CommandGuard() { in_gmsh = guards = false; }

void CommandGuard::allow_all() { allows_all = true; }

void fail_if_refused() {
  if (!first_refusal.empty()) fail(ExitCode::bad_case, "{}", first_refusal);
}

}  // namespace tetrawave::mesher

#define TW_LIBRARY_FUNCTION extern "C" __attribute__((visibility("default")))
using tetrawave::mesher::original;
using tetrawave::mesher::refuse;
using tetrawave::mesher::refuse_change;
using tetrawave::mesher::refuse_opening;

TW_LIBRARY_FUNCTION int system(const char* command) {
  const bool refused = command != nullptr && refuse("run the command", command);  // without one it asks for a shell
  return refused ? -1 : original<decltype(system)>("system")(command);
}

TW_LIBRARY_FUNCTION FILE* popen(const char* command, const char* mode) {
  return refuse("run the command", command) ? nullptr : original<decltype(popen)>("popen")(command, mode);
}

TW_LIBRARY_FUNCTION pid_t fork() noexcept { return refuse("start", "a program") ? -1 : original<pid_t()>("fork")(); }

TW_LIBRARY_FUNCTION int socket(int domain, int type, int protocol) noexcept {
  return refuse("open a socket for", "OnelabRun") ? -1 : original<int(int, int, int)>("socket")(domain, type, protocol);
}

TW_LIBRARY_FUNCTION FILE* fopen(const char* path, const char* mode) {
  return refuse_opening(path, mode) ? nullptr : original<decltype(fopen)>("fopen")(path, mode);
}

TW_LIBRARY_FUNCTION FILE* fopen64(const char* path, const char* mode) {
  return refuse_opening(path, mode) ? nullptr : original<decltype(fopen)>("fopen64")(path, mode);
}

TW_LIBRARY_FUNCTION FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return refuse_opening(path, mode) ? nullptr : original<decltype(freopen)>("freopen")(path, mode, stream);
}

namespace {

mode_t take_mode(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

}  // namespace

#define TW_OPEN(name)                                                                                         \
  TW_LIBRARY_FUNCTION int name(const char* path, int flags, ...) {                                            \
    va_list list;                                                                                             \
    va_start(list, flags);                                                                                    \
    const mode_t mode = take_mode(flags, list);                                                               \
    va_end(list);                                                                                             \
    return refuse_opening(path, flags) ? -1 : original<int(const char*, int, ...)>(#name)(path, flags, mode); \
  }
TW_OPEN(open)
TW_OPEN(open64)
#undef TW_OPEN

TW_LIBRARY_FUNCTION int __open_2(const char* path, int flags) {  // NOLINT: the library's name
  return refuse_opening(path, flags) ? -1 : original<int(const char*, int)>("__open_2")(path, flags);
}

TW_LIBRARY_FUNCTION int mkdir(const char* path, mode_t mode) noexcept {
  return refuse("make the folder", path) ? -1 : original<int(const char*, mode_t)>("mkdir")(path, mode);
}

TW_LIBRARY_FUNCTION int rename(const char* from, const char* to) noexcept {
  return refuse_change("rename", from) ? -1 : original<int(const char*, const char*)>("rename")(from, to);
}

TW_LIBRARY_FUNCTION int remove(const char* path) noexcept {
  return refuse_change("remove", path) ? -1 : original<int(const char*)>("remove")(path);
}

TW_LIBRARY_FUNCTION int unlink(const char* path) noexcept {
  // OnelabRun removes what an earlier one has left before it opens its own.
  const bool of_socket = std::strstr(path, "/.gmshsock") != nullptr && refuse("open a socket for", "OnelabRun");
  return of_socket || refuse_change("remove", path) ? -1 : original<int(const char*)>("unlink")(path);
}

TW_LIBRARY_FUNCTION int chmod(const char* path, mode_t mode) noexcept {
  return refuse_change("change the rights of", path) ? -1 : original<int(const char*, mode_t)>("chmod")(path, mode);
}
