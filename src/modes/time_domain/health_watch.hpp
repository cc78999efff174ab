// Monitors the energy of a run: all field values are finite, and nothing grows without a source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "modes/time_domain/setup.hpp"
#include "results/s_parameters/s_parameters.hpp"

namespace tetrawave::modes {

/// A check is a pass over the fields, and is done as often as it costs less than 1 % of the run, and after each of its
/// first pieces.
///
/// P_n = 1/2 E^n M E^n + 1/2 H^{n-1/2} M H^{n-1/2} is not the conserved energy W_n of leap-frog, but with c = dt /
/// limit < 1 it bounds it: (1 - c) P <= W <= (1 + c) P. So after all sources have ended, when W must not grow, P above
/// 2 (1 + c)/(1 - c) times its largest earlier value means that W has more than doubled (c is taken as at most 0.99).
/// While sources are active, P is bounded by 1e30 times all stored and incident energy, once all sources inside the
/// mesh have risen to a share of their peak (before, what they radiate grows by any factor).
class HealthWatch {
 public:
  HealthWatch(TimeDomainSetup& setup, const march::Start& start, const comm::Communicator& ranks);

  /// Adds the run time since the last call, the same on all ranks; returns whether a check is due.
  [[nodiscard]] bool is_due(double marched_seconds);

  /// Checks the fields at `step`. Throws UserError (unstable) with the step, the worst element, its place, region and
  /// material, and the time step against its limit. Collective.
  void check(std::int64_t step);

  /// The largest energy returned by `energy` is taken over steps that depend on the case alone, not on the clock: some
  /// 32 while sources are active, when it is largest, as many over the whole run, those passed to `note`, and the last.
  [[nodiscard]] bool wants_energy(std::int64_t step) const {
    return step % (step <= driven_until_ ? look_every_driven_ : look_every_) == 0;
  }
  /// The steps from `step` to the next of them, at most `steps`.
  [[nodiscard]] std::int64_t steps_to_look(std::int64_t step, std::int64_t steps) const {
    const std::int64_t every = step < driven_until_ ? look_every_driven_ : look_every_;
    return std::min(steps, every - step % every);
  }
  void note(std::int64_t step, double energy_j);
  void note(const std::vector<march::EnergyRow>& rows);
  /// The run has ended with step `step`, where it was checked.
  void end(std::int64_t step) {
    note(step, energy_.last_j);
    energy_.jumps_j = setup_.engine->jump_energy();
  }

  /// All waveforms are over from this step on; beyond the run if one never is. Waves that a waveguide port still emits
  /// then, as its mode continues to ring at its cutoff, are treated as part of the response.
  [[nodiscard]] std::int64_t sources_over_from() const { return sources_over_from_; }

  /// State: the history of the energy so far.
  [[nodiscard]] const results::EnergyTail& energy() const { return energy_; }
  void set_energy(const results::EnergyTail& energy) { energy_ = energy; }

  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  [[noreturn]] void report(std::int64_t step, double energy_j);
  /// What helps, from the region of the worst element.
  [[nodiscard]] std::string remedy_for(const std::string& region) const;
  [[nodiscard]] double bound_j() const;
  /// Whether no source has been active since the last check: its result then bounds the energy from there on.
  [[nodiscard]] bool grows_by_itself() const { return last_step_ >= quiet_from_; }
  TimeDomainSetup& setup_;
  const comm::Communicator& ranks_;
  std::int64_t quiet_from_ = 0;          ///< no wave is active from this step on, including those emitted by waveguides
  std::int64_t sources_over_from_ = 0;   ///< all waveforms are over from this step on
  double drive_j_ = 0;                   ///< incident energy of all waves of ports
  std::int64_t sources_rise_until_ = 0;  ///< the energy of sources that still rise from next to nothing is no bound
  double growth_ = 2;
  double found_j_ =
      0;  ///< largest energy found in this session; in DGTD schemes up to the first check without a source
  results::EnergyTail energy_;
  std::int64_t look_every_;
  std::int64_t look_every_driven_ = 0;  ///< up to step driven_until_, a multiple of it
  std::int64_t driven_until_ = 0;
  std::int64_t last_step_ = -1;  ///< of the last check, -1 before the first
  double cost_ = 0;              ///< seconds of the last check
  double marched_since_ = 0;
  int checks_ = 0;
  double seconds_ = 0;  ///< of all checks
};

}  // namespace tetrawave::modes
