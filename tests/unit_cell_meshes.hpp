// A mesh of nine unit cells for tests: a box whose nodes are moved alike on opposite cut planes.
#pragma once

#include <array>
#include <cmath>

#include "mesh/hash.hpp"
#include "mesh_slabs.hpp"

namespace tetrawave_tests {

/// 6 x 6 x 4 hexahedra of 1 x 1.5 x 1 m, cut at x = 2 and 4, y = 1.5 and 6: the antenna cell has 2 x 3 x 4 of them.
/// Its volumes are "cell.air" and, above z = 2, "cell.lid"; around it is "air". Surfaces: "port", two triangles in the
/// middle of the antenna cell's floor, "floor", and "outside". Inner nodes are moved at random by up to a fifth of an
/// edge, those in cut planes only within.
inline tetrawave::MeshSlab make_cell_mesh() {
  using namespace tetrawave;
  BoxMesh box = make_box({6, 9, 4}, {6, 6, 4});
  MeshSlab mesh = make_box_slab(box, 0, 1);
  for (Vec3& node : mesh.nodes) {
    std::array<GlobalIndex, 3> k{std::llround(node[0]), std::llround(node[1] / 1.5), std::llround(node[2])};
    const bool inner = k[0] > 0 && k[0] < 6 && k[1] > 0 && k[1] < 6 && k[2] > 0 && k[2] < 4;
    const bool in_x_plane = k[0] == 2 || k[0] == 4, in_y_plane = k[1] == 1 || k[1] == 4;
    if (in_x_plane) k[0] = 2;
    if (in_y_plane) k[1] = 1;
    if (!inner) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((axis == 0 && in_x_plane) || (axis == 1 && in_y_plane)) continue;
      const auto word = hash_words(k[0], k[1], k[2], axis);
      node[axis] += 0.4 * (to_unit_interval(word) - 0.5);
    }
  }
  mesh.region_names = {"air", "cell.air", "cell.lid"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto hexahedron = static_cast<GlobalIndex>(e / 6);
    const GlobalIndex i = hexahedron / 24, j = hexahedron / 4 % 6, k = hexahedron % 4;
    const bool antenna = i >= 2 && i < 4 && j >= 1 && j < 4;
    mesh.region[e] = antenna ? (k < 2 ? 1 : 2) : 0;
  }
  mesh.group_names = {"port", "floor", "outside"};
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    Vec3 middle{};
    for (const GlobalIndex node : mesh.faces[f])
      middle = middle + (1. / 3) * mesh.nodes[static_cast<std::size_t>(node)];
    const bool on_floor = middle[2] < 1e-9;
    const bool at_port = on_floor && middle[0] > 2 && middle[0] < 3 && middle[1] > 3 && middle[1] < 4.5;
    mesh.face_group[f] = at_port ? 0 : (on_floor ? 1 : 2);
  }
  mesh.source = "cells";
  return mesh;
}

}  // namespace tetrawave_tests
