#include "results/history/probes.hpp"

#include <limits>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/map_element.hpp"
#include "results/history/find_element.hpp"

namespace tetrawave::results {

namespace {

void add_functionals(march::Problem& problem, const Vec3& point, std::optional<LocalIndex> element) {
  std::array<march::Functional, 3> axes;
  if (element) {
    const basis::MappedElement physical = map_element(problem.space, *problem.mesh, *element);
    const auto values = physical.values(physical.barycentric(point).value());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      march::Functional::Item item{*element, {}};
      for (const Vec3& value : values) item.weight.push_back(value[axis]);
      axes[axis].items.push_back(std::move(item));
    }
  }
  for (auto& functional : axes) {
    problem.electric.push_back(functional);
    for (auto& item : functional.items)
      for (double& weight : item.weight) weight /= eta0_ohm;  // the engine stores eta0 H
    problem.magnetic.push_back(functional);
  }
}

}  // namespace

void add_probes(march::Problem& problem, const std::vector<ProbePoint>& probes, const comm::Communicator& ranks) {
  std::string errors;
  for (const ProbePoint& probe : probes) {
    auto element = find_element(*problem.mesh, probe.point_m);
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

}  // namespace tetrawave::results
