// Times of the successive phases of a long task.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tetrawave {

class PhaseClock {
 public:
  /// Ends a phase: its time is that since the end of the previous one, or since construction. A repeated name
  /// accumulates.
  void end(const std::string& name) {
    const auto now = std::chrono::steady_clock::now();
    add(name, std::chrono::duration<double>(now - std::exchange(begin_, now)).count());
  }
  /// Adds the time of a phase that has another clock.
  void add(const std::string& name, double seconds) {
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
