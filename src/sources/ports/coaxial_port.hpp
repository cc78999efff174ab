// A coaxial port: its face, its TEM mode and its impedance.
#pragma once

#include <vector>

#include "sources/ports/port_description.hpp"
#include "sources/ports/port_medium.hpp"
#include "sources/ports/tem_mode.hpp"

namespace tetrawave {

/// A port that carries the TEM mode of a round coaxial line.
struct CoaxialPort {
  Vec3 centre_m{};
  double inner_radius_m = 0;  ///< as reported: given by the case, else derived from the face
  double outer_radius_m = 0;
  TemMode mode;  ///< its impedance is eta0/(2 pi) sqrt(mu/eps) ln(b/a)
};

/// Makes the port from all triangles of its face, sorted by their vertices (the same list on every rank), the outward
/// unit normal and the medium; `degree` of the potential: 1 for mixed-1, 3 for spaces of degree 3, else 2. Throws
/// UserError (bad_case) if the face is not an annulus, or if a centre, axis or radius given by the case differs from it
/// by more than 5 percent (of the radius; of the outer radius for the centre).
[[nodiscard]] CoaxialPort make_coaxial_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                                            const Vec3& normal, const Medium& medium, int degree);

}  // namespace tetrawave
