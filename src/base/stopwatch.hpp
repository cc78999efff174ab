// Seconds of a phase.
#pragma once

#include <chrono>

namespace tetrawave {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since construction.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tetrawave
