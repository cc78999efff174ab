// The kernels that sum over pairs of points, for points in lanes. Beside what element_block.hpp says a lane has
// pairs_in_flight: how many pairs a loop works on before their sums, so that their operations overlap.
#pragma once

#include "kernels/pairs/directions.hpp"
#include "kernels/pairs/green.hpp"

/// X(kernel type)
#define TW_SUM_KERNELS(X)                       \
  X(::tetrawave::kernels::BoundaryRadiation<1>) \
  X(::tetrawave::kernels::BoundaryRadiation<2>) \
  X(::tetrawave::kernels::BoundaryRadiation<3>) \
  X(::tetrawave::kernels::BoundaryRadiation<4>) \
  X(::tetrawave::kernels::DirectionSums)
