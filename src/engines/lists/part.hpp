// Block kernels of the benchmark: an update in separate passes.
#pragma once

#include "engines/parts/parts.hpp"
#include "kernels/spaces.hpp"

#define TW_PART_KERNELS(X, S)                \
  X(::tetrawave::kernels::CentralVolume<S>)  \
  X(::tetrawave::kernels::CentralSurface<S>) \
  X(::tetrawave::kernels::CentralInverse<S>) \
  X(::tetrawave::kernels::StoredVolume<S>)   \
  X(::tetrawave::kernels::StoredSurface<S>)
