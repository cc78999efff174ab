#include "schemes/stored/lists.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "schemes/stored/equation.hpp"

namespace tetrawave::march {

std::vector<DrivenElements> list_driven_elements(const Problem& problem) {
  std::map<LocalIndex, std::vector<const DrivenFace*>> faces_of;
  for (const DrivenFace& face : problem.driven) faces_of[face.element].push_back(&face);
  std::map<std::pair<Part, std::size_t>, DrivenElements> groups;
  for (auto& [element, faces] : faces_of) {
    std::sort(faces.begin(), faces.end(), [](const DrivenFace* a, const DrivenFace* b) { return a->face < b->face; });
    DrivenElements& group = groups[{problem.part_of(element), faces.size()}];
    group.of.part = problem.part_of(element);
    group.of.elements.push_back(element);
    group.faces.push_back(faces);
  }
  std::vector<DrivenElements> lists;
  for (auto& [key, group] : groups) lists.push_back(std::move(group));
  return lists;
}

std::vector<RegionElements> list_kept_elements(const Problem& problem, Field field) {
  std::map<Part, std::vector<LocalIndex>> parts;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    if (keeps_field(problem, e, field)) parts[problem.part_of(e)].push_back(e);
  std::vector<RegionElements> lists;
  for (auto& [part, elements] : parts) lists.push_back({0, part, std::move(elements)});
  return lists;
}

}  // namespace tetrawave::march
