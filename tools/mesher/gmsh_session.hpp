// Gmsh's library, started and stopped, with its errors as UserError.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/error.hpp"

namespace tetrawave::mesher {

/// gmsh::initialize .. gmsh::finalize: silent, one thread, a fixed seed, no configuration files of the user, so that
/// the same input makes the same mesh everywhere. `parameters` are numbers that DefineConstant leaves as they are.
class GmshSession {
 public:
  explicit GmshSession(const std::map<std::string, double>& parameters);
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;
  ~GmshSession();
};

/// Runs `work`; an error of Gmsh becomes UserError (code) "INPUT: text of Gmsh" in one line.
void call_gmsh(const std::string& input, ExitCode code, const std::function<void()>& work);

}  // namespace tetrawave::mesher
