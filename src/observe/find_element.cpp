#include "observe/find_element.hpp"

#include <algorithm>
#include <limits>

#include "base/format.hpp"
#include "basis/physical_element.hpp"

namespace tetrawave::observe {

namespace {

constexpr double tolerance = 1e-9;

bool is_near_box(const std::array<Vec3, 4>& corners, const Vec3& point) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double low = corners[0][axis];
    double high = low;
    for (const Vec3& corner : corners) {
      low = std::min(low, corner[axis]);
      high = std::max(high, corner[axis]);
    }
    const double slack = 1e-6 * (high - low) + std::numeric_limits<double>::min();
    if (point[axis] < low - slack || point[axis] > high + slack) return false;
  }
  return true;
}

/// Within the tolerance.
bool contains(const std::array<Vec3, 4>& corners, const Vec3& point) {
  if (!is_near_box(corners, point)) return false;
  const auto l = basis::PhysicalElement(Space::mixed_1, corners).barycentric(point);
  return *std::min_element(l.begin(), l.end()) >= -tolerance;
}

}  // namespace

std::optional<LocalIndex> find_element(const LocalMesh& mesh, const Vec3& point) {
  std::optional<LocalIndex> best;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    if (best && mesh.global_id[k] > mesh.global_id[static_cast<std::size_t>(*best)]) continue;
    if (contains(mesh.corners[k], point)) best = e;
  }
  return best;
}

std::vector<LocalIndex> find_elements(const LocalMesh& mesh, const Vec3& point) {
  std::vector<LocalIndex> elements;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    if (contains(mesh.corners[static_cast<std::size_t>(e)], point)) elements.push_back(e);
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

}  // namespace tetrawave::observe
