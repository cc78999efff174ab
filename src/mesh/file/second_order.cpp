#include "mesh/file/second_order.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace tetrawave {

namespace {

using Pair = std::array<std::size_t, 2>;
/// Gmsh's order of the edge nodes, after the corners.
constexpr std::array<Pair, 6> element_edges{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
constexpr std::array<Pair, 3> face_edges{{{0, 1}, {1, 2}, {0, 2}}};

std::array<std::int64_t, 2> ends_of(const std::int64_t* corners, const Pair& edge) {
  return {std::min(corners[edge[0]], corners[edge[1]]), std::max(corners[edge[0]], corners[edge[1]])};
}

/// The corners of items with so many nodes.
std::vector<std::int64_t> corners_of(const std::vector<std::int64_t>& items, std::size_t nodes, std::size_t corners) {
  std::vector<std::int64_t> kept;
  for (std::size_t at = 0; at < items.size(); at += nodes)
    for (std::size_t v = 0; v < corners; ++v) kept.push_back(items[at + v]);
  return kept;
}

}  // namespace

EdgeNodes drop_edge_nodes(WholeMesh& mesh) {
  ensure(mesh.dimension == 3 && mesh.order == 2, "the mesh has second-order tetrahedra");
  EdgeNodes known;
  for (std::size_t at = 0; at < mesh.elements.size(); at += 10)
    for (std::size_t k = 0; k < element_edges.size(); ++k)
      known[ends_of(&mesh.elements[at], element_edges[k])] = mesh.elements[at + 4 + k];
  mesh.elements = corners_of(mesh.elements, 10, 4);
  mesh.faces = corners_of(mesh.faces, 6, 3);
  mesh.order = 1;
  return known;
}

void add_edge_nodes(WholeMesh& mesh, EdgeNodes known) {
  ensure(mesh.dimension == 3 && mesh.order == 1, "the mesh has straight tetrahedra");
  const auto node_on = [&](const std::array<std::int64_t, 2>& ends) {
    const auto [found, is_new] = known.try_emplace(ends, static_cast<std::int64_t>(mesh.nodes.size()));
    if (is_new) {
      const auto at = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(ends[k])]; };
      mesh.nodes.push_back(0.5 * (at(0) + at(1)));
    }
    return found->second;
  };
  const auto complete = [&](const std::vector<std::int64_t>& items, std::size_t corners, const auto& edges) {
    std::vector<std::int64_t> all;
    for (std::size_t at = 0; at < items.size(); at += corners) {
      all.insert(all.end(), &items[at], &items[at] + corners);
      for (const Pair& edge : edges) all.push_back(node_on(ends_of(&items[at], edge)));
    }
    return all;
  };
  mesh.elements = complete(mesh.elements, 4, element_edges);
  mesh.faces = complete(mesh.faces, 3, face_edges);
  mesh.order = 2;
}

}  // namespace tetrawave
