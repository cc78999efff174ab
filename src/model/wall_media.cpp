#include "model/wall_media.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "case/check/refusals.hpp"
#include "case/region_media.hpp"

namespace tetrawave::modes {

std::string place_of_region(const Case& given, const std::string& name) {
  for (const RegionSpec& region : given.regions)
    if (region.volume == name) return region.place.text;
  return "";
}

bool touches_open_wall(const march::Problem& problem, LocalIndex element) {
  const auto& tags = problem.mesh->boundary[static_cast<std::size_t>(element)];
  return std::any_of(tags.begin(), tags.end(), [&](std::int32_t tag) {
    if (tag < 0) return false;
    const march::Wall wall = problem.walls[static_cast<std::size_t>(tag)];
    return !march::is_mirror(wall);
  });
}

void check_dispersive_walls(const Case& given, const march::Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    if (problem.medium_of(e).electric_poles.empty() || !touches_open_wall(problem, e)) continue;
    const std::string& name = mesh.region_names[static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(e)])];
    fail(ExitCode::bad_case, dispersion_at_wall.text, place_of_region(given, name), name);
  }
}

}  // namespace tetrawave::modes
