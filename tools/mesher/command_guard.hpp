// Keeps a .geo file from running commands and writing files, which its language can.
#pragma once

#include <string>

namespace tetrawave::mesher {

/// While one lives, whatever Gmsh calls of the system to start a program or to change a file is refused, and noted with
/// the line of the .geo file (of an included one, too) that asked for it. Gmsh itself needs none of these calls.
class CommandGuard {
 public:
  /// `input`: what is told where no line is known.
  explicit CommandGuard(const std::string& input);
  ~CommandGuard();
  CommandGuard(const CommandGuard&) = delete;
  CommandGuard& operator=(const CommandGuard&) = delete;
  /// From now on none refuses anything.
  static void allow_all();
};

/// Throws UserError (bad_case) when something was refused, with the place of the first.
void fail_if_refused();

}  // namespace tetrawave::mesher
