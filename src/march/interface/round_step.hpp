// Digits of a stable step.
#pragma once

#include <cmath>

namespace tetrawave::march {

/// Rounded down to six digits, so that backends, which differ in the last bits, agree.
inline double round_step_down(double dt) {
  const double unit = std::pow(10.0, std::floor(std::log10(dt)) - 5);
  return std::floor(dt / unit) * unit;
}

}  // namespace tetrawave::march
