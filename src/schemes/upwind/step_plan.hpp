// The step of DGTD-Upwind as a list of actions: Runge-Kutta stages (theory/upwind), or with LTS updates of levels from
// integrals of predicted fields (theory/lts).
#pragma once

#include "march/loop/step_needs.hpp"

namespace tetrawave::march {

/// What acts in DGTD-Upwind besides StepNeeds.
struct UpwindNeeds : StepNeeds {
  bool waves = false;  ///< driven faces
  bool conductors = false;
  bool metal = false;  ///< E is held at zero there

  explicit UpwindNeeds(const Problem& problem);
};

StepPlan plan_upwind(const UpwindNeeds& needs);
StepPlan plan_upwind_lts(const StepClasses& classes, const UpwindNeeds& needs);

}  // namespace tetrawave::march
