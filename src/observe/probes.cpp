#include "observe/probes.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"
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

/// The element of this rank with the lowest global id that contains the point.
std::optional<LocalIndex> find_element(const march::Problem& problem, const Vec3& point) {
  const LocalMesh& mesh = *problem.mesh;
  std::optional<LocalIndex> best;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    if (best && mesh.global_id[k] > mesh.global_id[static_cast<std::size_t>(*best)]) continue;
    if (!is_near_box(mesh.corners[k], point)) continue;
    const auto l = basis::PhysicalElement(problem.space, mesh.corners[k]).barycentric(point);
    if (*std::min_element(l.begin(), l.end()) >= -tolerance) best = e;
  }
  return best;
}

void add_functionals(march::Problem& problem, const Vec3& point, std::optional<LocalIndex> element) {
  std::array<march::Functional, 3> axes;
  if (element) {
    const auto k = static_cast<std::size_t>(*element);
    const basis::PhysicalElement physical(problem.space, problem.mesh->corners[k]);
    const auto values = physical.values(physical.barycentric(point));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      march::Functional::Item item{*element, {}};
      for (const Vec3& value : values) item.weight.push_back(value[axis]);
      axes[axis].items.push_back(std::move(item));
    }
  }
  for (auto& functional : axes) {
    problem.electric.push_back(functional);
    for (auto& item : functional.items)
      for (double& weight : item.weight) weight /= eta0_ohm;  // the march holds eta0 H
    problem.magnetic.push_back(functional);
  }
}

/// "(x, y, z) to (x, y, z) m", the bounding box of the whole mesh. A collective.
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

}  // namespace

void add_probes(march::Problem& problem, const std::vector<ProbeSpec>& probes, const comm::Communicator& ranks) {
  std::string errors;
  for (const ProbeSpec& probe : probes) {
    auto element = find_element(problem, probe.point_m);
    constexpr auto nobody = std::numeric_limits<std::int64_t>::max();
    const std::int64_t mine = element ? problem.mesh->global_id[static_cast<std::size_t>(*element)] : nobody;
    const std::int64_t lowest = -ranks.max(-mine);
    if (lowest == nobody)
      errors += tetrawave::format(
          "{}{}: error: probe '{}' at ({:g}, {:g}, {:g}) m lies outside the mesh, whose bounding box is {}",
          errors.empty() ? "" : "\n", probe.point_place.text, probe.name, probe.point_m[0], probe.point_m[1],
          probe.point_m[2], describe_bounds(*problem.mesh, ranks));
    if (mine != lowest) element.reset();
    add_functionals(problem, probe.point_m, element);
  }
  if (!errors.empty()) throw UserError(ExitCode::bad_case, errors);
}

}  // namespace tetrawave::observe
