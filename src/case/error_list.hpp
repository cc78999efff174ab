// The case's errors of several checks, told in one run.
#pragma once

#include <functional>
#include <string>

namespace tetrawave::modes {

class ErrorList {
 public:
  /// Runs `check` and keeps the text of a UserError with code bad_case; all else it throws goes on.
  void collect(const std::function<void()>& check);

  /// Throws one UserError (bad_case) with a line per error, at most 20 of them.
  void throw_if_any() const;

 private:
  std::string text_;
};

}  // namespace tetrawave::modes
