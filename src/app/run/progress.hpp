// Progress output: one line that is rewritten on a terminal, a log line now and then elsewhere.
#pragma once

#include <chrono>

#include "modes/time_domain/time_domain.hpp"

namespace tetrawave::app {

/// Exists for the duration of a run.
class ProgressLine {
 public:
  /// quiet: shows nothing.
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// At most five times a second on a terminal, every five seconds elsewhere; the last step always.
  void show(const modes::Progress& progress);

 private:
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace tetrawave::app
