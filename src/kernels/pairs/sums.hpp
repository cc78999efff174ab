// The kernels that sum over pairs of points, for points in lanes. Beside what element_block.hpp says a lane has
//   pairs_in_flight   how many pairs a loop works on before their sums, so that their operations overlap
//   phase(x)          cos(pi x) and sin(pi x) for |x| <= 1/2
#pragma once

#include "kernels/pairs/directions.hpp"
#include "kernels/pairs/fields.hpp"
#include "kernels/pairs/green.hpp"

/// X(kernel type)
#define TW_SUM_KERNELS(X)                               \
  X(::tetrawave::kernels::BoundaryRadiation<double, 1>) \
  X(::tetrawave::kernels::BoundaryRadiation<double, 2>) \
  X(::tetrawave::kernels::BoundaryRadiation<double, 3>) \
  X(::tetrawave::kernels::BoundaryRadiation<double, 4>) \
  X(::tetrawave::kernels::BoundaryRadiation<float, 1>)  \
  X(::tetrawave::kernels::BoundaryRadiation<float, 2>)  \
  X(::tetrawave::kernels::BoundaryRadiation<float, 3>)  \
  X(::tetrawave::kernels::BoundaryRadiation<float, 4>)  \
  X(::tetrawave::kernels::FieldRadiation<double, 1>)    \
  X(::tetrawave::kernels::FieldRadiation<double, 2>)    \
  X(::tetrawave::kernels::DirectionSums)
