// What a wave of a waveguide's mode is at a wall of the medium's impedance, over time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tetrawave {

/// f = T * a for a wave a(t): the part of an incident wave of the mode that comes in through the wall, the rest being
/// made by the port's memory; T = sqrt(1 - R^2) (THEORY.md 22, modal_kernel.hpp). The same for TE and TM.
class ModalSource {
 public:
  using Wave = std::function<double(double steps)>;

  /// `wave` by the step, 0 before step 0; step_over_cutoff = dt kc c0/n. Prepares steps [0, steps + 1]; `wave` is asked
  /// at quarters of steps and may throw.
  ModalSource(Wave wave, double step_over_cutoff, std::int64_t steps);

  /// f at a step, which need not be whole.
  [[nodiscard]] double operator()(double steps) const;

 private:
  Wave wave_;
  std::vector<double> tail_;  ///< f - a at half steps
};

}  // namespace tetrawave
