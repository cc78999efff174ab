// Block kernels of DGTD-Upwind.
#pragma once

#include "kernels/layers.hpp"
#include "kernels/poles.hpp"
#include "kernels/spaces.hpp"
#include "kernels/upwind_conductors.hpp"
#include "kernels/upwind_stage.hpp"
#include "kernels/upwind_taylor.hpp"

#define TW_UPWIND_KERNELS(X, S)                \
  X(::tetrawave::kernels::UpwindStage<S>)      \
  X(::tetrawave::kernels::UpwindWaves<S>)      \
  X(::tetrawave::kernels::UpwindConductors<S>) \
  X(::tetrawave::kernels::PolesAfterStage<S>)  \
  X(::tetrawave::kernels::LayersAfterStage<S>) \
  X(::tetrawave::kernels::UpwindTaylor<S>)     \
  X(::tetrawave::kernels::PolesAlone<S>)
