// A lumped port: a flat patch between two conductors that carries the current of one resistor.
#pragma once

#include <vector>

#include "sources/ports/port_description.hpp"
#include "sources/ports/tem_mode.hpp"

namespace tetrawave {

struct LumpedPort {
  double resistance_ohm = 0;
  double length_m = 0;  ///< of the patch along its current
  double width_m = 0;   ///< across: its area over its length; for a ring 2 pi length/ln(b/a)
  TemMode field;        ///< of 1 V across the patch, from the positive conductor to the negative one

  /// Surface resistance of the resistor's sheet, per square: it dissipates V^2/R in that field.
  [[nodiscard]] double sheet_ohms() const { return resistance_ohm * field.norm_squared; }
};

/// The port from all triangles of its face, sorted by their vertices (the same list on every rank), and the unit
/// normal: with a direction a patch with a uniform field along it, without one a ring with a radial field, inner
/// conductor positive; `degree` of the potential: 1 for mixed-1, 3 for spaces of degree 3, else 2. Throws UserError
/// (bad_case) if the face is not flat, not in one piece, not a ring where it has to be one, or the direction is not in
/// its plane (within 1 degree).
[[nodiscard]] LumpedPort make_lumped_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                                          const Vec3& normal, int degree);

}  // namespace tetrawave
