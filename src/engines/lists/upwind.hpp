// Block kernels of DGTD-Upwind.
#pragma once

#include "kernels/spaces.hpp"
#include "schemes/upwind/conductors_stage.hpp"
#include "schemes/upwind/jumps_kernel.hpp"
#include "schemes/upwind/stage.hpp"
#include "schemes/upwind/taylor.hpp"
#include "terms/dispersion/kernel.hpp"
#include "terms/pml/kernel.hpp"

#define TW_UPWIND_KERNELS(X, S)                \
  X(::tetrawave::kernels::UpwindStage<S>)      \
  X(::tetrawave::kernels::UpwindWaves<S>)      \
  X(::tetrawave::kernels::UpwindConductors<S>) \
  X(::tetrawave::kernels::PolesAfterStage<S>)  \
  X(::tetrawave::kernels::LayersAfterStage<S>) \
  X(::tetrawave::kernels::UpwindTaylor<S>)     \
  X(::tetrawave::kernels::UpwindJumps<S>)      \
  X(::tetrawave::kernels::PolesAlone<S>)
