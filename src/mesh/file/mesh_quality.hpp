// Shape statistics of a whole mesh, stored in its file; for a distributed mesh: mesh_summary.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace tetrawave {

/// Statistics over all elements, by their corners.
struct MeshQuality {
  double min_radius_ratio = 0;  ///< dimension x inscribed/circumscribed radius: 1 regular, 0 flat
  double median_radius_ratio = 0;
  double min_angle_deg = 0;  ///< smallest dihedral angle; in 2D the smallest angle
  double min_edge_m = 0;     ///< over the edges of all elements, an edge counted once per element
  double median_edge_m = 0;
  double max_edge_m = 0;
};

/// nodes: metres. elements: [n, stride] node ids, the first 4 (tetrahedra, dimension 3) or 3 (triangles, 2) corners.
/// Not empty; all ids in range.
[[nodiscard]] MeshQuality measure_quality(std::span<const Vec3> nodes, std::span<const std::int64_t> elements,
                                          std::size_t stride, int dimension);

}  // namespace tetrawave
