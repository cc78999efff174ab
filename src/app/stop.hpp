// Why a run should stop early: a signal, or its wall-clock time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace tetrawave::app {

/// "23h50m", "90s", "10 min", "1.5h", "2d12h", or "1:30:00" (hours, minutes, seconds), in seconds.
/// Throws UserError (usage) for any other text, and for zero.
[[nodiscard]] double parse_wall_time(const std::string& text);

/// Signals TERM, INT and USR1 and the wall-clock limit of a run. While listening, the first signal requests a stop, and
/// a second one ends the process at once; otherwise the first one does. At most one instance.
class StopRequest {
 public:
  /// `max_wall_s`: seconds from now after which the run should stop.
  explicit StopRequest(std::optional<double> max_wall_s);
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// From now on the run polls the reason regularly.
  void listen();
  /// The run no longer polls, but writes results: a first signal leaves it half a minute for that.
  void finish();
  /// "SIGUSR1", "--max-wall", or empty to continue.
  [[nodiscard]] std::string reason() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

}  // namespace tetrawave::app
