// time.energy_decay: a run ends before its last step once its energy has decayed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tetrawave::modes {

/// Evaluates the energy of the present levels (Engine::present_energy, the same on all ranks) at every 128th step, in
/// mode fetd at every 8th, so that the last step of a run depends on the case alone, whenever it was stopped and
/// resumed.
class StopRule {
 public:
  static constexpr std::int64_t every_explicit = 128;  ///< whole batches of steps (march.hpp)
  static constexpr std::int64_t every_implicit = 8;    ///< of longer steps, each a solution

  /// `decay_db` below 0, or absent: no rule. All sources are over from step `sources_over_from` on.
  StopRule(std::optional<double> decay_db, std::int64_t sources_over_from, std::int64_t every = every_explicit);

  /// Whether the energy is needed after `step`.
  [[nodiscard]] bool is_due(std::int64_t step) const { return factor_ && step % every_ == 0; }
  /// The steps from `step` until the energy is needed next, at most `steps`.
  [[nodiscard]] std::int64_t steps_to_check(std::int64_t step, std::int64_t steps) const;
  /// The energy at a step that was due. True: the sources are over and it has decayed far enough, the run ends here.
  bool note(std::int64_t step, double energy_j);
  /// Energy in dB relative to its largest value; 0 before the first one.
  [[nodiscard]] double level_db() const;

  /// State: the largest energy and the last.
  [[nodiscard]] std::vector<double> state() const { return {largest_j_, last_j_}; }
  void set_state(const std::vector<double>& values);

 private:
  std::optional<double> factor_;
  std::int64_t sources_over_from_;
  std::int64_t every_;
  double largest_j_ = 0;
  double last_j_ = 0;
};

}  // namespace tetrawave::modes
