// Errors that end a run; a user's mistake and a bug are different types.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/text/format.hpp"

namespace tetrawave {

/// Exit codes of every command (sysexits style; also in README.md).
enum class ExitCode : int {
  done = 0,
  usage = 64,           ///< bad options, output directory in use, more ranks than elements
  bad_mesh = 65,        ///< a file that is not a valid mesh
  missing_input = 66,   ///< a named file is missing
  unavailable = 69,     ///< no GPU, MPI or mesher
  internal = 70,        ///< a bug or a device fault
  out_of_memory = 71,   ///< host or device
  io = 74,              ///< a failed read or write, disk full
  stopped = 75,         ///< checkpoint written, resume
  unstable = 76,        ///< NaN, growth, or no convergence
  bad_checkpoint = 77,  ///< unusable or of another case
  bad_case = 78,        ///< the case is wrong in itself or inconsistent with its mesh
};

/// A failure that the user can act on: its text gives the problem and the remedy.
class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// A broken invariant of the program itself, exit 70: never the user's fault.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws a UserError with a formatted text (fmt syntax).
template <class... Args>
[[noreturn]] void fail(ExitCode code, format_string<Args...> text, Args&&... args) {
  throw UserError(code, fmt::format(text, std::forward<Args>(args)...));
}

/// Throws an InternalError when an invariant does not hold.
inline void ensure(bool holds, const char* invariant) {
  if (!holds) throw InternalError(invariant);
}

}  // namespace tetrawave
