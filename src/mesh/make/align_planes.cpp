#include "mesh/make/align_planes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mesh/array/unit_cells.hpp"

namespace tetrawave {

namespace {

MeshSlab slab_of(const WholeMesh& mesh) {
  MeshSlab slab;
  slab.nodes = mesh.nodes;
  slab.region = mesh.region;
  slab.face_group = mesh.face_group;
  slab.region_names = mesh.region_names;
  slab.group_names = mesh.group_names;
  slab.source = mesh.source;
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    slab.elements.push_back(
        {mesh.elements[4 * e], mesh.elements[4 * e + 1], mesh.elements[4 * e + 2], mesh.elements[4 * e + 3]});
  for (std::size_t f = 0; f < mesh.face_group.size(); ++f)
    slab.faces.push_back({mesh.faces[3 * f], mesh.faces[3 * f + 1], mesh.faces[3 * f + 2]});
  slab.node_count = static_cast<GlobalIndex>(slab.nodes.size());
  slab.element_count = static_cast<GlobalIndex>(slab.elements.size());
  slab.face_count = static_cast<GlobalIndex>(slab.faces.size());
  return slab;
}

/// Per node its number on the lower planes; for one without elements its own.
std::vector<std::int64_t> folded_numbers(const UnitCells& cells) {
  std::vector<std::int64_t> folded(cells.mesh.nodes.size());
  std::iota(folded.begin(), folded.end(), std::int64_t{0});
  std::array<std::size_t, 9> next{};
  for (std::size_t e = 0; e < cells.mesh.elements.size(); ++e) {
    const std::size_t k = cells.element_cell[e];
    const auto& nodes = cells.cells[k / 3][k % 3].elements[next[k]++];
    for (std::size_t v = 0; v < 4; ++v) folded[static_cast<std::size_t>(cells.mesh.elements[e][v])] = nodes[v].folded;
  }
  return folded;
}

}  // namespace

void align_planes(WholeMesh& mesh) {
  const UnitCells cells = make_unit_cells(slab_of(mesh));
  const std::vector<std::int64_t> folded = folded_numbers(cells);
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (std::size_t n = 0; n < folded.size(); ++n) order.emplace_back(folded[n], static_cast<std::int64_t>(n));
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> number(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto node = static_cast<std::size_t>(order[k].second);
    number[node] = static_cast<std::int64_t>(k);
    mesh.nodes[k] = cells.mesh.nodes[node];
  }
  for (auto* list : {&mesh.elements, &mesh.faces})
    for (std::int64_t& node : *list) node = number[static_cast<std::size_t>(node)];
}

}  // namespace tetrawave
