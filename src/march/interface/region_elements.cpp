#include "march/interface/region_elements.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace tetrawave::march {

std::vector<RegionElements> elements_by_region(const Problem& problem, const std::vector<bool>& chosen) {
  if (std::none_of(chosen.begin(), chosen.end(), [](bool is_chosen) { return is_chosen; })) return {};
  const LocalMesh& mesh = *problem.mesh;
  using Parts = std::map<Part, std::vector<LocalIndex>, std::greater<>>;  // border elements first
  std::vector<Parts> of_region(chosen.size());
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto region = problem.material_of(e);
    if (region < chosen.size() && chosen[region]) of_region[region][problem.part_of(e)].push_back(e);
  }
  std::vector<RegionElements> lists;
  for (std::size_t region = 0; region < chosen.size(); ++region)
    for (auto& [part, elements] : of_region[region]) lists.push_back({region, part, std::move(elements)});
  return lists;
}

std::vector<ItemGroup> group_items(const Problem& problem, const std::vector<LocalIndex>& elements) {
  std::map<std::pair<Part, int>, ItemGroup> groups;  // (part, how many came before)
  std::map<LocalIndex, int> met;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Part part = problem.part_of(elements[i]);
    ItemGroup& group = groups[{part, met[elements[i]]++}];
    group.of.part = part;
    group.of.elements.push_back(elements[i]);
    group.items.push_back(i);
  }
  std::vector<ItemGroup> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

}  // namespace tetrawave::march
