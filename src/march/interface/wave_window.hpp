// How many steps of the waves at ports a device holds at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tetrawave::march {

/// Numbers of a table of waves, a wave being one of a step, an array of 100,000 ports having as many.
inline constexpr std::int64_t most_wave_numbers = std::int64_t{1} << 24;

/// Steps of a march of so many that have `rows` waves at once: all, if those are `most` numbers or fewer, or if ports
/// with memory write their own.
inline std::int64_t steps_of_waves(std::int64_t steps, std::int64_t rows, bool with_memory,
                                   std::int64_t most = most_wave_numbers) {
  constexpr std::int64_t least = 64;
  return with_memory ? steps + 1 : std::min(steps + 1, std::max(least, most / std::max<std::int64_t>(1, rows)));
}

}  // namespace tetrawave::march
