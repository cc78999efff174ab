#include "sources/ports/port_face.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "basis/quadrature.hpp"

namespace tetrawave {

namespace {

constexpr std::array<std::array<std::size_t, 2>, 3> local_edges = {{{0, 1}, {0, 2}, {1, 2}}};

void check_flat(const std::vector<PortTriangle>& triangles, const Vec3& normal, const std::string& refusal) {
  const std::map<GlobalIndex, Vec3> points = points_of(triangles);
  const Vec3 origin = points.begin()->second;
  double size = 0;
  double height = 0;
  for (const auto& [id, point] : points) {
    size = std::max(size, norm(point - origin));
    height = std::max(height, std::abs(dot(point - origin, normal)));
  }
  for (const PortTriangle& triangle : triangles)
    for (const Vec3& bulge : triangle.bulge) height = std::max(height, std::abs(dot(bulge, normal)));
  constexpr double tolerance = 1e-6;  // of its size; the mesher's rounding is far below
  if (height > tolerance * size)
    fail(ExitCode::bad_case, "{}: it is not flat (its vertices are up to {:.3g} m off a plane, its size is {:.3g} m)",
         refusal, height, size);
}

}  // namespace

std::string describe(const Vec3& v) { return tetrawave::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]); }

DisjointSets::DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

std::size_t DisjointSets::root(std::size_t i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

void DisjointSets::join(std::size_t a, std::size_t b) { parent_[root(b)] = root(a); }

std::size_t DisjointSets::count() {
  std::size_t roots = 0;
  for (std::size_t i = 0; i < parent_.size(); ++i) roots += root(i) == i ? 1 : 0;
  return roots;
}

Vec3 point_on(const PortTriangle& triangle, const std::array<double, 3>& l) {
  const auto& corner = triangle.corners;
  Vec3 point = l[0] * corner[0] + l[1] * corner[1] + l[2] * corner[2];
  if (!triangle.is_curved()) return point;
  for (std::size_t k = 0; k < 3; ++k)
    point = point + (4 * l[local_edges[k][0]] * l[local_edges[k][1]]) * triangle.bulge[k];
  return point;
}

std::array<Vec3, 2> tangents_on(const PortTriangle& triangle, const std::array<double, 3>& l) {
  std::array<Vec3, 3> slope = triangle.corners;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [a, b] = local_edges[k];
    slope[a] = slope[a] + (4 * l[b]) * triangle.bulge[k];
    slope[b] = slope[b] + (4 * l[a]) * triangle.bulge[k];
  }
  return {slope[1] - slope[0], slope[2] - slope[0]};
}

double area_of(const PortTriangle& triangle) {
  const auto& p = triangle.corners;
  if (!triangle.is_curved()) return norm(cross(p[1] - p[0], p[2] - p[0])) / 2;
  double sum = 0;
  for (const auto& q : basis::symmetric_triangle_rule(6)) {
    const auto t = tangents_on(triangle, q.barycentric);
    sum += q.weight * norm(cross(t[0], t[1])) / 2;
  }
  return sum;
}

std::array<PortEdge, 3> edges_of(const PortTriangle& triangle) {
  const auto& v = triangle.vertices;
  return {{{v[0], v[1]}, {v[0], v[2]}, {v[1], v[2]}}};
}

std::map<GlobalIndex, Vec3> points_of(const std::vector<PortTriangle>& triangles) {
  std::map<GlobalIndex, Vec3> points;
  for (const PortTriangle& triangle : triangles) {
    const auto& v = triangle.vertices;
    ensure(v[0] < v[1] && v[1] < v[2], "the vertices of a port's triangle ascend");
    for (std::size_t i = 0; i < 3; ++i) points[v[i]] = triangle.corners[i];
  }
  return points;
}

std::vector<PortEdge> find_rim(const std::vector<PortTriangle>& triangles, const Vec3& normal,
                               const std::string& refusal) {
  if (triangles.empty()) fail(ExitCode::bad_case, "{}: it has no triangles", refusal);
  check_flat(triangles, normal, refusal);
  std::map<PortEdge, std::vector<std::size_t>> users;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const PortEdge& edge : edges_of(triangles[t])) users[edge].push_back(t);
  DisjointSets pieces(triangles.size());
  std::vector<PortEdge> rim;
  for (const auto& [edge, sides] : users) {
    if (sides.size() == 1) rim.push_back(edge);
    for (const std::size_t side : sides) pieces.join(sides.front(), side);
    if (sides.size() > 2) fail(ExitCode::bad_case, "{}: {} of its triangles meet in one edge", refusal, sides.size());
  }
  if (pieces.count() > 1) fail(ExitCode::bad_case, "{}: it is in {} pieces", refusal, pieces.count());
  return rim;
}

}  // namespace tetrawave
