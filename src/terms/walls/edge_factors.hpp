// What eps and mu are multiplied by in the elements at edges of metal sheets (THEORY.md 35).
#pragma once

#include "base/types.hpp"

namespace tetrawave::schemes {

/// In elements with a corner on the edge of a sheet.
struct EdgeFactors {
  double eps = 1;
  double mu = 1;
};

/// Factors for a time-domain scheme, calibrated with strip resonators of known frequency. `holds_metal`: as
/// DGTD-Central, of whose flux DGTD-Upwind is then at edges.
EdgeFactors edge_factors(Scheme scheme, Space space, bool holds_metal);

/// Factors for conforming edge elements, calibrated with strips of known capacitance and inductance and irises.
EdgeFactors edge_factors_of_edge_elements(Space space);

/// What eps and 1/mu are multiplied by on triangles of a port with a corner there, by the degree of its potential, 1 to
/// 3.
double edge_factor_of_port(int degree);

}  // namespace tetrawave::schemes
