#include "media/material.hpp"

#include <algorithm>
#include <variant>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/suggest.hpp"

namespace tetrawave {

namespace {

const Place& place_of_mesh(const Case& given) {
  return std::visit([](const auto& mesh) -> const Place& { return mesh.place; }, given.mesh);
}

const MaterialSpec& material_named(const Case& given, const RegionSpec& region) {
  const auto found = std::find_if(given.materials.begin(), given.materials.end(),
                                  [&](const MaterialSpec& material) { return material.name == region.material; });
  if (found != given.materials.end()) return *found;
  std::vector<std::string> names;
  for (const MaterialSpec& material : given.materials) names.push_back(material.name);
  fail(ExitCode::bad_case, "{}: error: regions.{}: there is no material '{}'{}; defined: {}", region.place.text,
       region.volume, region.material, did_you_mean(region.material, names), list_names(names));
}

void throw_if_any(const std::vector<std::string>& errors) {
  if (errors.empty()) return;
  constexpr std::size_t most = 20;
  std::string text = errors.front();
  for (std::size_t i = 1; i < std::min(most, errors.size()); ++i) text += "\n" + errors[i];
  if (errors.size() > most) text += tetrawave::format("\n{} more errors are not shown", errors.size() - most);
  throw UserError(ExitCode::bad_case, text);
}

}  // namespace

Medium make_medium(const MaterialSpec& material) {
  return {material.eps_r, material.mu_r, eta0_ohm * material.sigma_s_per_m, material.sigma_m_ohm_per_m / eta0_ohm};
}

std::vector<Medium> media_of_regions(const Case& given, const std::vector<std::string>& region_names) {
  std::vector<std::string> errors;
  for (const RegionSpec& region : given.regions) {
    if (std::find(region_names.begin(), region_names.end(), region.volume) != region_names.end()) continue;
    errors.push_back(tetrawave::format("{}: error: regions.{}: the mesh has no volume '{}'{}; its volumes: {}",
                                       region.place.text, region.volume, region.volume,
                                       did_you_mean(region.volume, region_names), list_names(region_names)));
  }
  std::vector<Medium> media;
  for (const std::string& name : region_names) {
    const auto region = std::find_if(given.regions.begin(), given.regions.end(),
                                     [&](const RegionSpec& candidate) { return candidate.volume == name; });
    if (region == given.regions.end()) {
      errors.push_back(tetrawave::format("{}: error: region '{}' of the mesh has no material: add it to regions",
                                         place_of_mesh(given).text, name));
      continue;
    }
    media.push_back(make_medium(material_named(given, *region)));
  }
  throw_if_any(errors);
  return media;
}

}  // namespace tetrawave
