// Block kernels of DGTD-Central.
#pragma once

#include "kernels/central_update.hpp"
#include "kernels/layer_jumps.hpp"
#include "kernels/layers.hpp"
#include "kernels/poles.hpp"
#include "kernels/recursions.hpp"
#include "kernels/spaces.hpp"

#define TW_CENTRAL_KERNELS(X, S)                     \
  X(::tetrawave::kernels::CentralUpdate<S>)          \
  X(::tetrawave::kernels::PolesBeforeUpdate<S>)      \
  X(::tetrawave::kernels::RecursionsBeforeUpdate<S>) \
  X(::tetrawave::kernels::LayersBeforeUpdate<S>)     \
  X(::tetrawave::kernels::LayerJumps<S>)
