// Times and waves of a step of fourth order (theory/central).
#pragma once

#include <cstdint>

#include "march/interface/engine.hpp"

namespace tetrawave::march {

/// The stages of a step: H by a third of the step about the row, then E, H and E. Those with a table of waves first.
namespace fourth {
inline constexpr std::int64_t first_half = 0;     ///< E by half a step
inline constexpr std::int64_t second_half = 1;    ///< E again
inline constexpr std::int64_t second_change = 2;  ///< what the first change of H makes of E, kept apart
inline constexpr std::int64_t about_row = 3;      ///< H by a third of the step
inline constexpr std::int64_t first_change = 4;   ///< of H by two thirds, kept apart
inline constexpr std::int64_t middle = 5;         ///< H by the first change, and by what the second one makes of it
inline constexpr std::int64_t wave_tables = 3;

/// Time of a stage's sources within the step, in steps.
constexpr double time_of(std::int64_t stage) {
  constexpr double times[] = {1.0 / 6, 5.0 / 6, 0.5, 0, 0.5, 0.5};
  return times[stage];
}
}  // namespace fourth

/// Of a source of E in half a step, which has it constant: w - dt^2/72 w'', at n steps.
inline double wave_of_half_step(const Wave& wave, double n) {
  return wave(n) - (wave(n + 0.5) - 2 * wave(n) + wave(n - 0.5)) / 18;
}

/// Of the same source in the second change: 2/3 dt w'.
inline double change_of_wave(const Wave& wave, double n) { return (wave(n + 0.5) - wave(n - 0.5)) / 1.5; }

}  // namespace tetrawave::march
