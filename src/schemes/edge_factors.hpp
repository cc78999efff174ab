// What eps and mu are multiplied by in the elements at edges of metal sheets (THEORY.md 35).
#pragma once

#include "base/types.hpp"

namespace tetrawave::schemes {

/// In elements with a corner on the edge of a sheet, by calibration with strip resonators of known frequency.
double edge_factor(Scheme scheme, Space space);

}  // namespace tetrawave::schemes
