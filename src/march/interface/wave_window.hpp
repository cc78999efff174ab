// Number of steps for which a device stores the waves at ports at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tetrawave::march {

/// Maximum size of a table of waves, which has a number per wave and step; an array may have 100,000 ports.
inline constexpr std::int64_t most_wave_numbers = std::int64_t{1} << 24;

/// Number of steps of a run of `steps` whose `rows` waves are stored at once: all, if those are at most `most` numbers,
/// or if dispersive ports write their own.
inline std::int64_t steps_of_waves(std::int64_t steps, std::int64_t rows, bool with_memory,
                                   std::int64_t most = most_wave_numbers) {
  constexpr std::int64_t least = 64;
  return with_memory ? steps + 1 : std::min(steps + 1, std::max(least, most / std::max<std::int64_t>(1, rows)));
}

}  // namespace tetrawave::march
