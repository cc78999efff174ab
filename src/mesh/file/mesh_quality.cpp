#include "mesh/file/mesh_quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave {
namespace {

struct Shape {
  double radius_ratio = 0;
  double min_angle_rad = 0;
};

double find_angle(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// Inradius 3 V / (sum of face areas); circumradius sqrt(p (p - aA) (p - bB) (p - cC)) / (6 V) ... with V = det / 6
// and the circumcentre c of |c|^2 = |c - e_i|^2: c = (|e0|^2 e1 x e2 + |e1|^2 e2 x e0 + |e2|^2 e0 x e1) / (2 det).
Shape measure_tetrahedron(const std::array<Vec3, 4>& x) {
  const Vec3 e0 = x[1] - x[0];
  const Vec3 e1 = x[2] - x[0];
  const Vec3 e2 = x[3] - x[0];
  const double det = std::abs(dot(e0, cross(e1, e2)));
  // Outward or all inward: faces opposite to vertices 1, 2, 3 and 0.
  const std::array<Vec3, 4> normals{cross(x[3] - x[1], x[2] - x[1]), cross(e1, e2), cross(e2, e0), cross(e0, e1)};
  double twice_area = 0;
  for (const Vec3& normal : normals) twice_area += norm(normal);
  const Vec3 numerator = dot(e0, e0) * cross(e1, e2) + dot(e1, e1) * cross(e2, e0) + dot(e2, e2) * cross(e0, e1);
  // 3 r / R with r = det / twice_area and R = |numerator| / (2 det).
  const double denominator = twice_area * norm(numerator);
  Shape shape;
  shape.radius_ratio = denominator > 0 ? 6 * det * det / denominator : 0;
  shape.min_angle_rad = std::numbers::pi;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j)
      shape.min_angle_rad = std::min(shape.min_angle_rad, pi - find_angle(normals[static_cast<std::size_t>(i)],
                                                                          normals[static_cast<std::size_t>(j)]));
  return shape;
}

// r = 2 area / perimeter, R = a b c / (4 area).
Shape measure_triangle(const std::array<Vec3, 4>& x) {
  const Vec3 e0 = x[1] - x[0];
  const Vec3 e1 = x[2] - x[1];
  const Vec3 e2 = x[0] - x[2];
  const double a = norm(e0);
  const double b = norm(e1);
  const double c = norm(e2);
  const double area = norm(cross(e0, e1)) / 2;
  const double denominator = (a + b + c) * a * b * c;
  Shape shape;
  shape.radius_ratio = denominator > 0 ? 16 * area * area / denominator : 0;
  shape.min_angle_rad = pi - std::max({find_angle(e0, e1), find_angle(e1, e2), find_angle(e2, e0)});
  return shape;
}

double take_median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

MeshQuality measure_quality(std::span<const Vec3> nodes, std::span<const std::int64_t> elements, std::size_t stride,
                            int dimension) {
  ensure(!elements.empty(), "a mesh has elements");
  const std::size_t corners = static_cast<std::size_t>(dimension) + 1;
  std::vector<double> ratios;
  std::vector<double> edges;
  double min_angle = std::numeric_limits<double>::max();
  for (std::size_t begin = 0; begin < elements.size(); begin += stride) {
    std::array<Vec3, 4> x{};
    for (std::size_t i = 0; i < corners; ++i) x[i] = nodes[static_cast<std::size_t>(elements[begin + i])];
    const Shape shape = dimension == 3 ? measure_tetrahedron(x) : measure_triangle(x);
    ratios.push_back(shape.radius_ratio);
    min_angle = std::min(min_angle, shape.min_angle_rad);
    for (std::size_t i = 0; i < corners; ++i)
      for (std::size_t j = i + 1; j < corners; ++j) edges.push_back(norm(x[j] - x[i]));
  }
  MeshQuality quality;
  quality.min_radius_ratio = *std::min_element(ratios.begin(), ratios.end());
  quality.median_radius_ratio = take_median(ratios);
  quality.min_angle_deg = min_angle * 180 / pi;
  quality.min_edge_m = *std::min_element(edges.begin(), edges.end());
  quality.max_edge_m = *std::max_element(edges.begin(), edges.end());
  quality.median_edge_m = take_median(edges);
  return quality;
}

}  // namespace tetrawave
