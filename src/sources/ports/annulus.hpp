// The face of a coaxial port, derived from its triangles.
#pragma once

#include <string>
#include <vector>

#include "sources/ports/port_face.hpp"

namespace tetrawave {

/// A flat ring between two round rims.
struct Annulus {
  Vec3 centre{};
  Vec3 normal{};              ///< out of the structure, unit length
  double inner_radius_m = 0;  ///< mean distance of the rim's vertices from the centre
  double outer_radius_m = 0;
  std::vector<PortEdge> inner_edges;  ///< of the inner rim, each ascending, sorted
  std::vector<PortEdge> outer_edges;
};

/// Finds the annulus from all triangles of a face, sorted by their vertices, with the outward unit normal `normal`.
/// Throws UserError (bad_case) "`subject` is not an annulus: ..." if the face is not flat, not in one piece, or does
/// not have exactly two round, concentric rims (vertices within 2 percent of the mean radius).
[[nodiscard]] Annulus find_annulus(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                   const std::string& subject);

}  // namespace tetrawave
