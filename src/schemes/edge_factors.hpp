// What eps and mu are multiplied by in the elements at edges of metal sheets (THEORY.md 35).
#pragma once

#include "base/types.hpp"

namespace tetrawave::schemes {

/// In elements with a corner on the edge of a sheet, by calibration with strip resonators of known frequency.
/// `holds_metal`: as DGTD-Central, of whose flux DGTD-Upwind is then at edges.
double edge_factor(Scheme scheme, Space space, bool holds_metal);

}  // namespace tetrawave::schemes
