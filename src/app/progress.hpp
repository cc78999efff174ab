// How a march tells that it goes on: one line that is rewritten on a terminal, a log line now and then elsewhere.
#pragma once

#include <chrono>

#include "modes/time_domain.hpp"

namespace tetrawave::app {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const modes::Progress& progress);

 private:
  bool quiet_;
  bool terminal_;
  bool open_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace tetrawave::app
