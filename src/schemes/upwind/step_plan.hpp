// The step of DGTD-Upwind as a list of actions: Runge-Kutta stages (theory/upwind), or with LTS updates of levels from
// integrals of predicted fields (theory/lts).
#pragma once

#include "march/loop/step_needs.hpp"

namespace tetrawave::march {

StepPlan plan_upwind(const StepNeeds& needs);
StepPlan plan_upwind_lts(const StepClasses& classes, const StepNeeds& needs);

}  // namespace tetrawave::march
