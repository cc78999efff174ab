#include "march/pole_lists.hpp"

#include <functional>
#include <map>

namespace tetrawave::march {

std::vector<RegionElements> elements_by_region(const Problem& problem, const std::vector<bool>& chosen) {
  const LocalMesh& mesh = *problem.mesh;
  std::vector<RegionElements> lists;
  for (std::size_t region = 0; region < chosen.size(); ++region) {
    if (!chosen[region]) continue;
    std::map<Part, std::vector<LocalIndex>, std::greater<>> parts;  // border elements first
    for (LocalIndex e = 0; e < mesh.element_count(); ++e)
      if (static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(e)]) == region)
        parts[problem.part_of(e)].push_back(e);
    for (auto& [part, elements] : parts) lists.push_back({region, part, std::move(elements)});
  }
  return lists;
}

}  // namespace tetrawave::march
