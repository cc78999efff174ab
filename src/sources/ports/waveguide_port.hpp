// A port on the end of a rectangular waveguide: its rectangle, and the profile of its mode.
#pragma once

#include <vector>

#include "sources/ports/port_description.hpp"
#include "sources/ports/port_face.hpp"

namespace tetrawave {

/// A rectangle of sides a >= b.
struct Rectangle {
  Vec3 corner{};   ///< the origin of both directions along the sides
  Vec3 along_a{};  ///< unit vectors
  Vec3 along_b{};
  double a_m = 0;
  double b_m = 0;
};

/// The rectangle of a face. Its longer side is a, for a square the side closest to the first axis of coordinates; both
/// point along their largest component. Throws UserError (bad_case) "`refusal`: ..." if the face is not flat, not in
/// one piece, has holes, or is not a rectangle.
[[nodiscard]] Rectangle find_rectangle(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                       const std::string& refusal);

/// A mode of the guide.
struct WaveguidePort {
  Rectangle shape;
  WaveguideMode mode;
  double cutoff_per_m = 0;         ///< kc = pi sqrt((m/a)^2 + (n/b)^2)
  double second_cutoff_per_m = 0;  ///< kc from which another mode with the same symmetry planes propagates as well

  /// The transverse field e at a point of the face, oint e.e dS = 1 [1/m]: with x along a, y along b,
  ///   TE: e ~ (-(n/b) cos(m pi x/a) sin(n pi y/b), (m/a) sin(m pi x/a) cos(n pi y/b)),
  ///   TM: e ~ ( (m/a) cos(m pi x/a) sin(n pi y/b), (n/b) sin(m pi x/a) cos(n pi y/b)).
  [[nodiscard]] Vec3 electric(const Vec3& point) const;
};

/// The port from all triangles of its face (the same list on every rank), the outward unit normal, and the edges of the
/// face on electric walls, sorted. At sides without metal, as many as the port has magnetic symmetry planes, the
/// rectangle is mirrored. Throws UserError (bad_case) if the face is not a rectangle, another edge of its rim is not on
/// metal, or the mode has no magnetic plane where the rectangle is mirrored.
[[nodiscard]] WaveguidePort make_waveguide_port(const PortDescription& port, const std::vector<PortTriangle>& triangles,
                                                const Vec3& normal, const std::vector<PortEdge>& metal);

}  // namespace tetrawave
