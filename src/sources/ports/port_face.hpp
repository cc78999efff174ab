// The triangles of a port's face, and operations common to all kinds of ports.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave {

/// An edge of a port's face: global node ids, ascending.
using PortEdge = std::array<GlobalIndex, 2>;

/// One triangle of a port's face.
struct PortTriangle {
  std::array<GlobalIndex, 3> vertices{};  ///< global node ids, ascending
  std::array<Vec3, 3> corners{};          ///< coordinates [m] in the order of `vertices`
  std::array<Vec3, 3> bulge{};            ///< offsets [m] of the edges 01, 02, 12 from their straight midpoints

  [[nodiscard]] bool is_curved() const { return bulge != std::array<Vec3, 3>{}; }
};

/// A point of a triangle [m], given by its barycentric coordinates, mapped as in basis::CurvedMap.
[[nodiscard]] Vec3 point_on(const PortTriangle& triangle, const std::array<double, 3>& barycentric);
/// dx/dL_1 - dx/dL_0 and dx/dL_2 - dx/dL_0 there [m].
[[nodiscard]] std::array<Vec3, 2> tangents_on(const PortTriangle& triangle, const std::array<double, 3>& barycentric);
/// The area [m^2].
[[nodiscard]] double area_of(const PortTriangle& triangle);

/// "(x, y, z)", for messages.
[[nodiscard]] std::string describe(const Vec3& v);

/// The edges 01, 02, 12 of a triangle.
[[nodiscard]] std::array<PortEdge, 3> edges_of(const PortTriangle& triangle);

/// The coordinates of the vertices of a face, by their ids.
[[nodiscard]] std::map<GlobalIndex, Vec3> points_of(const std::vector<PortTriangle>& triangles);

/// Disjoint sets: triangles joined by edges, edges joined by vertices.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count);
  std::size_t root(std::size_t i);
  void join(std::size_t a, std::size_t b);
  std::size_t count();

 private:
  std::vector<std::size_t> parent_;
};

/// The edges that belong to only one triangle, sorted: the rim of a face with the unit normal `normal`. Throws
/// UserError (bad_case) "`refusal`: ..." if the face is empty, not flat, or not in one piece.
[[nodiscard]] std::vector<PortEdge> find_rim(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                                             const std::string& refusal);

}  // namespace tetrawave
