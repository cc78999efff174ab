// Gmsh crashes on some damaged files: then the user is told so, with an exit code, instead of a core dump.
#pragma once

#include <string>

#include "base/error.hpp"

namespace tetrawave::mesher {

/// While it lives, a crash of this process prints "tetrawave-mesh: error: TEXT" and ends it with `code`. One at a time.
class CrashGuard {
 public:
  CrashGuard(ExitCode code, const std::string& text);
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();
};

}  // namespace tetrawave::mesher
