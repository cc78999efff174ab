// Block kernels of DGTD-Central.
#pragma once

#include "kernels/spaces.hpp"
#include "schemes/central/penalised_update.hpp"
#include "schemes/central/update.hpp"
#include "schemes/leap_frog/recursions.hpp"
#include "terms/dispersion/flow_kernel.hpp"
#include "terms/dispersion/kernel.hpp"
#include "terms/pml/jumps.hpp"
#include "terms/pml/kernel.hpp"

#define TW_CENTRAL_KERNELS(X, S)                     \
  X(::tetrawave::kernels::CentralUpdate<S>)          \
  X(::tetrawave::kernels::PenalisedUpdate<S>)        \
  X(::tetrawave::kernels::PolesBeforeUpdate<S>)      \
  X(::tetrawave::kernels::PolesOfFlow<S>)            \
  X(::tetrawave::kernels::RecursionsBeforeUpdate<S>) \
  X(::tetrawave::kernels::LayersBeforeUpdate<S>)     \
  X(::tetrawave::kernels::LayerJumps<S>)
