// Geometry of one straight-sided tetrahedron.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/types.hpp"

namespace tetrawave {

using Corners = std::array<Vec3, 4>;

/// Local vertices of face f, which is opposite vertex f, ascending.
inline constexpr std::array<std::array<std::size_t, 3>, 4> face_corners{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
inline constexpr std::array<std::array<std::size_t, 2>, 6> edge_corners{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Volume with the sign of det(x1 - x0, x2 - x0, x3 - x0).
constexpr double signed_volume(const Corners& x) { return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6; }

constexpr Vec3 centroid(const Corners& x) { return 0.25 * (x[0] + x[1] + (x[2] + x[3])); }

inline Vec3 face_centroid(const Corners& x, std::size_t face) {
  const auto& [a, b, c] = face_corners[face];
  return (1. / 3) * (x[a] + x[b] + x[c]);
}

inline double face_area(const Corners& x, std::size_t face) {
  const auto& [a, b, c] = face_corners[face];
  return 0.5 * norm(cross(x[b] - x[a], x[c] - x[a]));
}

/// Shortest and longest edge.
inline std::array<double, 2> edge_range(const Corners& x) {
  double low = norm(x[1] - x[0]), high = low;
  for (const auto& [a, b] : edge_corners) {
    const double length = norm(x[b] - x[a]);
    low = std::min(low, length);
    high = std::max(high, length);
  }
  return {low, high};
}

/// Whether vertex f is on the side of face f to which the normal of its ascending vertices points.
constexpr bool is_above_face(double signed_volume_of_element, std::size_t face) {
  return (signed_volume_of_element > 0) == (face % 2 == 1);
}

}  // namespace tetrawave
