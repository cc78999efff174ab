#include "results/history/find_element.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/text/format.hpp"
#include "mesh/map_element.hpp"

namespace tetrawave::results {

namespace {

constexpr double containment_tolerance = 1e-9;

bool is_near_box(std::span<const Vec3> points, const Vec3& point) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = points[0][axis];
    double high = low;
    for (const Vec3& corner : points) {
      low = std::min(low, corner[axis]);
      high = std::max(high, corner[axis]);
    }
    const double slack = 1e-6 * (high - low) + std::numeric_limits<double>::min();
    if (point[axis] < low - slack || point[axis] > high + slack) return false;
  }
  return true;
}

/// An element is within the convex hull of its corners and, on each edge, of the intersection of the tangents at its
/// ends.
std::array<Vec3, 10> hull_of(const std::array<Vec3, 4>& corners, const basis::Middles& middles) {
  std::array<Vec3, 10> hull{};
  std::copy(corners.begin(), corners.end(), hull.begin());
  for (std::size_t k = 0; k < middles.size(); ++k) {
    const auto& [a, b] = edge_corners[k];
    hull[4 + k] = 2 * middles[k] - 0.5 * (corners[a] + corners[b]);
  }
  return hull;
}

/// Within the containment_tolerance.
bool contains(const LocalMesh& mesh, std::size_t e, const Vec3& point) {
  const auto& corners = mesh.corners[e];
  const basis::Middles* middles = mesh.curved.of(e);
  if (!(middles == nullptr ? is_near_box(corners, point) : is_near_box(hull_of(corners, *middles), point)))
    return false;
  const auto l = map_element(Space::mixed_1, mesh, static_cast<LocalIndex>(e)).barycentric(point);
  return l && *std::min_element(l->begin(), l->end()) >= -containment_tolerance;
}

}  // namespace

std::optional<LocalIndex> find_element(const LocalMesh& mesh, const Vec3& point) {
  std::optional<LocalIndex> best;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    if (best && mesh.global_id[k] > mesh.global_id[static_cast<std::size_t>(*best)]) continue;
    if (contains(mesh, k, point)) best = e;
  }
  return best;
}

std::vector<LocalIndex> find_elements(const LocalMesh& mesh, const Vec3& point) {
  std::vector<LocalIndex> elements;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    if (contains(mesh, static_cast<std::size_t>(e), point)) elements.push_back(e);
  return elements;
}

std::string describe_bounds(const LocalMesh& mesh, const comm::Communicator& ranks) {
  Vec3 low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const auto& corners : mesh.corners)
    for (const Vec3& corner : corners)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], corner[axis]);
        high[axis] = std::max(high[axis], corner[axis]);
      }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = ranks.min(low[axis]);
    high[axis] = ranks.max(high[axis]);
  }
  return tetrawave::format("({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m", low[0], low[1], low[2], high[0], high[1],
                           high[2]);
}

}  // namespace tetrawave::results
