// Why a run should stop early: a signal, or its wall-clock time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace tetrawave::app {

/// "23h50m", "90s", "10 min", "1.5h", "2d12h", or "1:30:00" (hours, minutes, seconds), in seconds.
/// Throws UserError (usage) for any other text, and for zero.
[[nodiscard]] double parse_wall_time(const std::string& text);

/// While it lives, the first TERM, INT or USR1 asks the run to stop, and a second one ends the process at once, as it
/// would have without this. One at a time.
class StopRequest {
 public:
  /// `max_wall_s`: seconds from now after which the run should stop.
  explicit StopRequest(std::optional<double> max_wall_s);
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// "SIGUSR1", "--max-wall", or empty: go on.
  [[nodiscard]] std::string reason() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

}  // namespace tetrawave::app
