#include "mesh/reach_elements.hpp"

namespace tetrawave {

std::vector<bool> reach_elements(const LocalMesh& mesh, const std::vector<LocalIndex>& start,
                                 const std::set<std::pair<LocalIndex, std::uint8_t>>& surface) {
  std::vector<bool> reached(static_cast<std::size_t>(mesh.element_count()), false);
  std::vector<LocalIndex> queue;
  const auto reach = [&](LocalIndex element) {
    if (reached[static_cast<std::size_t>(element)]) return;
    reached[static_cast<std::size_t>(element)] = true;
    queue.push_back(element);
  };
  for (const LocalIndex element : start) reach(element);
  while (!queue.empty()) {
    const LocalIndex element = queue.back();
    queue.pop_back();
    for (std::uint8_t f = 0; f < 4; ++f) {
      const LocalIndex other = mesh.neighbour[static_cast<std::size_t>(element)][f];
      if (other >= 0 && surface.count({element, f}) == 0) reach(other);
    }
  }
  return reached;
}

}  // namespace tetrawave
