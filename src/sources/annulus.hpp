// The face of a coaxial port, read off its triangles.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// One triangle of a port's face.
struct PortTriangle {
  std::array<GlobalIndex, 3> vertices{};  ///< global node ids, ascending
  std::array<Vec3, 3> corners{};          ///< coordinates [m] in the order of `vertices`
};

/// A flat ring between two round rims.
struct Annulus {
  Vec3 centre{};
  Vec3 normal{};              ///< out of the structure, unit length
  double inner_radius_m = 0;  ///< mean distance of the rim's vertices from the centre
  double outer_radius_m = 0;
  std::vector<std::array<GlobalIndex, 2>> inner_edges;  ///< of the inner rim, each ascending, sorted
  std::vector<std::array<GlobalIndex, 2>> outer_edges;
};

/// Reads the annulus off all triangles of a face, sorted by their vertices, with the outward unit normal `normal`.
/// Throws UserError (bad_case) "`subject` is not an annulus: ..." when the face is not flat, not in one piece, or does
/// not have exactly two round, concentric rims (vertices within 2 percent of the mean radius).
[[nodiscard]] Annulus find_annulus(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                   const std::string& subject);

}  // namespace tetrawave
