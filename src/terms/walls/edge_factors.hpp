// Correction factors of eps and mu in elements at edges of metal sheets (theory/metal-edges).
#pragma once

#include "base/types.hpp"

namespace tetrawave::schemes {

/// In elements with a corner on an edge of metal.
struct EdgeFactors {
  double eps = 1;
  double mu = 1;
  double more_at_solids = 0;  ///< to be added at edges of solid metal, whatever their angle
};

/// Factors for a time-domain scheme, calibrated with strip resonators of known frequency. `holds_metal`: those of
/// DGTD-Central, whose flux DGTD-Upwind then uses at edges.
EdgeFactors edge_factors(Scheme scheme, Space space, bool holds_metal);

/// Factors for conforming edge elements, calibrated with strips of known capacitance and inductance and irises.
EdgeFactors edge_factors_of_edge_elements(Space space);

/// Factors at an edge of solid metal, from those of a sheet: the part (2 - 2 nu)^power of the correction, 1/2 <= nu <=
/// 3/4 by the angle (theory/metal-edges). The powers are calibrated with solid strips.
EdgeFactors edge_factors_of_solid(const EdgeFactors& of_sheet, double nu, double power);
double solid_edge_power(Scheme scheme, Space space, bool holds_metal);
double solid_edge_power_of_edge_elements(Space space);

/// Factors of eps and 1/mu on triangles of a port with a corner there, by the degree of its potential, 1 to 3.
double edge_factor_of_port(int degree);

}  // namespace tetrawave::schemes
