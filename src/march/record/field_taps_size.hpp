// Sizes of FieldTaps, for it and for the memory plan.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tetrawave::march {

/// Elements of a list passed out at once.
inline constexpr std::int64_t tap_page = 65536;
/// Steps of the fine table of phases.
inline constexpr std::int64_t phase_steps = 1024;

/// Entries of the coarse table for a run of `steps` steps.
inline std::int64_t coarse_phases(std::int64_t steps) { return steps / phase_steps + 1; }

/// Bytes on the device for `elements` of a list with n dofs of `number` bytes.
inline std::int64_t bytes_of_taps(std::int64_t elements, bool snapshots, bool staggered, std::int64_t frequencies,
                                  std::int64_t dofs, std::int64_t number) {
  if (!snapshots && frequencies == 0) return 0;
  const std::int64_t earlier = snapshots && staggered ? elements : 0;
  return elements * 4 + (earlier + std::min(elements, tap_page) + 4 * frequencies * elements) * dofs * number +
         2 * frequencies * 2 * (phase_steps + 1) * 8;
}

}  // namespace tetrawave::march
