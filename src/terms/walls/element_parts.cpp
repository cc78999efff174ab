#include "terms/walls/element_parts.hpp"

#include <set>

#include "terms/pml/layers.hpp"

namespace tetrawave::modes {

ElementWalls list_element_walls(const march::Problem& problem, int rank) {
  const LocalMesh& mesh = *problem.mesh;
  std::set<fem::ElementFace> seen;  // from the other side, on a lower rank
  for (const HaloPeer& peer : mesh.peers)
    if (peer.rank < rank)
      for (const HaloFace& face : peer.faces) seen.emplace(face.element, face.face);
  ElementWalls list;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e)
    for (std::uint8_t f = 0; f < 4; ++f) {
      const auto k = static_cast<std::size_t>(e);
      const std::int32_t tag = mesh.boundary[k][f];
      if (tag < 0) continue;
      const march::Wall wall = problem.walls[static_cast<std::size_t>(tag)];
      if (wall == march::Wall::electric) list.metal.emplace_back(e, f);
      if (march::is_mirror(wall) || wall == march::Wall::one_mode) continue;
      if ((mesh.neighbour[k][f] >= 0 && mesh.neighbour[k][f] < e) || seen.count({e, f}) > 0) continue;
      list.walls.emplace_back(e, f);
      list.tags.push_back(tag);
    }
  return list;
}

ElementKinds list_element_kinds(const march::Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  std::vector<std::int32_t> of_medium(problem.media.size(), -1);
  ElementKinds kinds;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    std::int32_t& known = of_medium[problem.material_of(e)];
    if (known < 0 || march::is_layer(problem, e)) {
      known = static_cast<std::int32_t>(kinds.first.size());
      kinds.first.push_back(e);
    }
    kinds.of_element.push_back(known);
  }
  return kinds;
}

}  // namespace tetrawave::modes
