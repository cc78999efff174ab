// Seconds of the actions of a step, from some steps whose actions run one after the other.
#pragma once

#include <chrono>
#include <cstdint>

#include "march/interface/action.hpp"

namespace tetrawave::march {

/// The other steps are assumed to be the same. On a GPU actions of a timed step are launched apart, each when the one
/// before it is done: sixteen such steps a run, and single steps between recorded ones.
template <class Backend>
class ActionClock {
 public:
  explicit ActionClock(Backend& backend) : backend_(backend) {}

  /// Whether step n has to be launched by itself.
  [[nodiscard]] static bool wants(std::int64_t n) { return !Backend::is_host && n >= first && n < first + every; }

  /// `recorded`: what is queued is not executed now.
  void begin_step(std::int64_t n, bool recorded) {
    looks_ = !recorded && (wants(n) || (n % every == 0 && (Backend::is_host || n > 0)));
    if (!looks_) return;
    backend_.synchronize();
    ++seen_;
  }
  void count(std::int64_t steps) { steps_ += steps; }
  /// Whether work is queued in its order, none in front of other work.
  [[nodiscard]] bool looks() const { return looks_; }

  template <class Work>
  void time(Act act, const Work& work) {
    if (!looks_) return work();
    const auto begin = std::chrono::steady_clock::now();
    work();
    backend_.synchronize();
    seconds_[static_cast<std::size_t>(share_of(act))] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Seconds of all steps so far; negative if none was timed.
  [[nodiscard]] ShareSeconds seconds() const {
    ShareSeconds all = seconds_;
    for (double& share : all)
      share = seen_ == 0 ? -1 : share * static_cast<double>(steps_) / static_cast<double>(seen_);
    return all;
  }

 private:
  static constexpr std::int64_t every = 16;
  static constexpr std::int64_t first = 32;
  Backend& backend_;
  ShareSeconds seconds_{};
  std::int64_t steps_ = 0;
  std::int64_t seen_ = 0;
  bool looks_ = false;
};

}  // namespace tetrawave::march
