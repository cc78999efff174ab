#include "march/pole_lists.hpp"

namespace tetrawave::march {

std::vector<RegionElements> elements_by_region(const LocalMesh& mesh, const std::vector<bool>& chosen) {
  std::vector<RegionElements> lists;
  for (std::size_t region = 0; region < chosen.size(); ++region) {
    if (!chosen[region]) continue;
    RegionElements border{region, true, {}};
    RegionElements inner{region, false, {}};
    for (LocalIndex e = 0; e < mesh.element_count(); ++e)
      if (static_cast<std::size_t>(mesh.region[static_cast<std::size_t>(e)]) == region)
        (e < mesh.border_count ? border : inner).elements.push_back(e);
    for (RegionElements& list : {std::ref(border), std::ref(inner)})
      if (!list.elements.empty()) lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace tetrawave::march
