// What eps and mu are multiplied by in the elements at edges of metal sheets (THEORY.md 35).
#pragma once

#include "base/types.hpp"

namespace tetrawave::schemes {

/// Of a sheet's edge, by calibration with a strip resonator; 1 where the scheme needs none or none is known.
double edge_factor(Scheme scheme, Space space);

}  // namespace tetrawave::schemes
