#include "case/region_media.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "base/text/suggest.hpp"
#include "case/error_list.hpp"

namespace tetrawave {

namespace {

const Place& place_of_mesh(const Case& given) {
  return std::visit([](const auto& mesh) -> const Place& { return mesh.place; }, given.mesh);
}

const Material& material_named(const Case& given, const RegionSpec& region) {
  const auto found = std::find_if(given.materials.begin(), given.materials.end(),
                                  [&](const Material& material) { return material.name == region.material; });
  if (found != given.materials.end()) return *found;
  std::vector<std::string> names;
  for (const Material& material : given.materials) names.push_back(material.name);
  fail(ExitCode::bad_case, "{}: error: regions.{}: there is no material '{}'{}; defined: {}", region.place.text,
       region.volume, region.material, did_you_mean(region.material, names), list_names(names));
}

}  // namespace

std::string region_in_case(const Case& given, const std::string& region_of_mesh) {
  constexpr std::string_view suffix = PmlLayers::suffix;
  const bool added = given.pml && !given.pml->faces.empty() && region_of_mesh.size() > suffix.size() &&
                     std::string_view(region_of_mesh).substr(region_of_mesh.size() - suffix.size()) == suffix;
  return added ? region_of_mesh.substr(0, region_of_mesh.size() - suffix.size()) : region_of_mesh;
}

std::string material_of(const Case& given, const std::string& region) {
  const auto found = std::find_if(given.regions.begin(), given.regions.end(),
                                  [&](const RegionSpec& candidate) { return candidate.volume == region; });
  return found == given.regions.end() ? "" : found->material;
}

Medium medium_of(const Case& given, const Material& material) {
  Medium medium = make_medium(material);
  medium.dispersion = given.method.dispersion;
  medium.exact_steps = given.method.time_order == 4;
  return medium;
}

std::vector<Medium> media_of_regions(const Case& given, const std::vector<std::string>& region_names) {
  ErrorList errors;
  for (const RegionSpec& region : given.regions) {
    if (std::find(region_names.begin(), region_names.end(), region.volume) != region_names.end()) continue;
    errors.collect([&] {
      fail(ExitCode::bad_case, "{}: error: regions.{}: the mesh has no volume '{}'{}; its volumes: {}",
           region.place.text, region.volume, region.volume, did_you_mean(region.volume, region_names),
           list_names(region_names));
    });
  }
  std::vector<Medium> media;
  for (const std::string& name : region_names) {
    const auto region = std::find_if(given.regions.begin(), given.regions.end(), [&](const RegionSpec& candidate) {
      return candidate.volume == region_in_case(given, name);
    });
    if (region == given.regions.end()) {
      errors.collect([&] {
        fail(ExitCode::bad_case, "{}: error: region '{}' of the mesh has no material: add it to regions",
             place_of_mesh(given).text, name);
      });
      continue;
    }
    media.push_back(medium_of(given, material_named(given, *region)));
  }
  errors.throw_if_any();
  return media;
}

}  // namespace tetrawave
