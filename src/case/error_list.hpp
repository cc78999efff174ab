// Collects errors of several checks and reports them together.
#pragma once

#include <functional>
#include <string>

namespace tetrawave {

class ErrorList {
 public:
  /// Runs `check` and keeps the text of a UserError with code bad_case; other exceptions propagate.
  void collect(const std::function<void()>& check);

  /// Throws one UserError (bad_case) with a line per error, at most 20 of them.
  void throw_if_any() const;

 private:
  std::string text_;
};

}  // namespace tetrawave
