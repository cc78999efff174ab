// The step of a leap-frog scheme as a list of actions, and its events with local time stepping (theory/lts).
#pragma once

#include <cstdint>

#include "march/loop/step_needs.hpp"

namespace tetrawave::march {

/// An event within a step of the time loop at which one field is advanced on the elements of the first `classes` levels
/// (theory/lts): at the start, or in the middle, of number `smallest` of the smallest steps.
struct Event {
  std::int64_t smallest = 0;
  bool at_middle = false;
  int classes = 1;

  /// Level c takes part if 3^c divides the time in smallest steps, or twice that time.
  static Event make(const StepClasses& classes, std::int64_t smallest, bool at_middle);
  /// Index of a level's step within the step of the time loop.
  [[nodiscard]] std::int64_t substep(int step_class) const;

 private:
  [[nodiscard]] std::int64_t twice_or_once() const { return at_middle ? 2 * smallest + 1 : smallest; }
};

/// H, then E a half step later; `electric_first`: the other way round, after the row. Rates (`with_rates`, DFDD-ELD)
/// have work of dispersion after the update, too, and ports of one mode at both fields.
StepPlan plan_leap_frog(const StepClasses& classes, const StepNeeds& needs, bool with_rates, bool electric_first);

}  // namespace tetrawave::march
