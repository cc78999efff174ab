// An eighth of a ball in second-order tetrahedra, for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "mesh/connect/build_mesh.hpp"
#include "mesh/curved_elements.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/file/second_order.hpp"
#include "mesh/tetrahedron.hpp"
#include "temporary_directory.hpp"

namespace tetrawave_tests {

/// Of radius 1 m, from a cube of `cells` cells along each edge: cubes about the origin become spheres, and the edges on
/// them go along these. Group sphere.
inline tetrawave::WholeMesh make_round_octant(int cells) {
  using tetrawave::norm;
  using tetrawave::operator*;
  using Point = std::array<int, 3>;
  tetrawave::WholeMesh mesh;
  std::map<Point, std::int64_t> number;
  const auto node = [&](const Point& p) {
    const auto [found, is_new] = number.try_emplace(p, static_cast<std::int64_t>(mesh.nodes.size()));
    if (is_new) {
      const tetrawave::Vec3 x{double(p[0]), double(p[1]), double(p[2])};
      const double length = norm(x), radius = double(std::max({p[0], p[1], p[2]})) / cells;
      mesh.nodes.push_back((length > 0 ? radius / length : 0) * x);
    }
    return found->second;
  };
  for (int cell = 0; cell < cells * cells * cells; ++cell) {
    const Point low{cell % cells, cell / cells % cells, cell / cells / cells};
    std::array<std::size_t, 3> way{0, 1, 2};
    do {
      std::array<Point, 4> at{low, low, low, low};
      for (std::size_t k = 1; k < 4; ++k) {
        at[k] = at[k - 1];
        ++at[k][way[k - 1]];
      }
      for (const Point& p : at) mesh.elements.push_back(node(p));
      mesh.region.push_back(0);
      for (const auto& face : tetrawave::face_corners) {
        const auto is_outside = [&](std::size_t v) { return std::max({at[v][0], at[v][1], at[v][2]}) == cells; };
        if (!std::all_of(face.begin(), face.end(), is_outside)) continue;
        for (const std::size_t v : face) mesh.faces.push_back(node(at[v]));
        mesh.face_group.push_back(0);
      }
    } while (std::next_permutation(way.begin(), way.end()));
  }
  mesh.region_names = {"ball"};
  mesh.group_names = {"sphere"};
  mesh.source = "octant";
  add_edge_nodes(mesh, {});
  constexpr std::array<std::array<std::size_t, 2>, 6> ends{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}}};
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    for (std::size_t k = 0; k < 6; ++k) {
      const auto place = [&](std::size_t v) -> tetrawave::Vec3& {
        return mesh.nodes[static_cast<std::size_t>(mesh.elements[10 * e + v])];
      };
      const double first = norm(place(ends[k][0])), second = norm(place(ends[k][1]));
      if (std::abs(first - second) < 1e-9) place(4 + k) = (first / norm(place(4 + k))) * place(4 + k);
    }
  return mesh;
}

/// Through a file, as a run does it: boundary tags 0 sphere, 1 the other faces. `change`: of what is curved.
inline tetrawave::LocalMesh build_octant(
    const tetrawave::WholeMesh& whole, const std::function<void(std::vector<tetrawave::CurvedElement>&)>& change = {}) {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", whole);
  tetrawave::MeshSlab slab = tetrawave::read_mesh_slab(directory / "m.h5", 0, 1, 2);
  auto curved = find_curved_elements(slab, 1);
  if (change) change(curved);
  tetrawave::FaceTags tags;
  tags.of_group = {0};
  tags.outer_default = 1;
  tags.allowed_inside = {false, false};
  tags.names = {"sphere", "planes"};
  tetrawave::LocalMesh mesh = build_local_mesh(std::move(slab), tags, tetrawave::comm::Communicator::self());
  curve_elements(mesh, curved, whole.source);
  return mesh;
}

}  // namespace tetrawave_tests
