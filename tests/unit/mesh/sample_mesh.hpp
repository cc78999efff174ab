// A small whole mesh for tests: the unit cube in six tetrahedra (Kuhn), two regions, two groups of faces.
#pragma once

#include "mesh/file/mesh_file.hpp"

namespace tetrawave_tests {

inline tetrawave::WholeMesh make_cube() {
  tetrawave::WholeMesh mesh;
  for (int k = 0; k < 8; ++k) mesh.nodes.push_back({double(k & 1), double(k >> 1 & 1), double(k >> 2 & 1)});
  mesh.elements = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
  mesh.region = {0, 0, 0, 1, 1, 1};
  mesh.faces = {0, 1, 3, 0, 2, 3, 0, 1, 3};
  mesh.face_group = {0, 0, 1};
  mesh.region_names = {"air", "bead"};
  mesh.group_names = {"floor", "half"};
  mesh.source = "cube";
  return mesh;
}

}  // namespace tetrawave_tests
