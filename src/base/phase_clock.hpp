// What the phases of a long work take, one after the other.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tetrawave {

class PhaseClock {
 public:
  /// Ends a phase: what has passed since the last end, or since this was made, is its time. A name that was there
  /// before gets more of it.
  void end(const std::string& name) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - std::exchange(begin_, now)).count();
    for (auto& [known, sum] : phases_)
      if (known == name) {
        sum += seconds;
        return;
      }
    phases_.emplace_back(name, seconds);
  }
  /// Seconds by name, in the order of their first ends.
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& phases() const { return phases_; }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<std::pair<std::string, double>> phases_;
};

}  // namespace tetrawave
