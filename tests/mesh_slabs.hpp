// Small meshes for tests: boxes, whole meshes cut into slabs, tables of boundary tags.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"
#include "mesh/make/box_mesh.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/slab_range.hpp"

namespace tetrawave_tests {

inline tetrawave::BoxMesh make_box(tetrawave::Vec3 size_m, std::array<std::int64_t, 3> cells, double jitter = 0) {
  tetrawave::BoxMesh box;
  box.size_m = size_m;
  box.cells = cells;
  box.jitter = jitter;
  return box;
}

/// Slab `rank` of `ranks` of a mesh given as one slab (its counts are taken from its lists).
inline tetrawave::MeshSlab cut_slab(const tetrawave::MeshSlab& whole, int rank, int ranks) {
  const auto part = [&]<class T>(const std::vector<T>& items) {
    const auto count = static_cast<tetrawave::GlobalIndex>(items.size());
    return std::vector<T>(items.begin() + tetrawave::slab_begin(rank, ranks, count),
                          items.begin() + tetrawave::slab_begin(rank + 1, ranks, count));
  };
  tetrawave::MeshSlab slab = whole;
  slab.node_count = static_cast<tetrawave::GlobalIndex>(whole.nodes.size());
  slab.element_count = static_cast<tetrawave::GlobalIndex>(whole.elements.size());
  slab.face_count = static_cast<tetrawave::GlobalIndex>(whole.faces.size());
  slab.first_node = tetrawave::slab_begin(rank, ranks, slab.node_count);
  slab.first_element = tetrawave::slab_begin(rank, ranks, slab.element_count);
  slab.nodes = part(whole.nodes);
  slab.elements = part(whole.elements);
  slab.region = part(whole.region);
  slab.faces = part(whole.faces);
  slab.face_group = part(whole.face_group);
  return slab;
}

/// Tags 0 .. 5: pec, pmc and films may stand inside, absorbing, a port and thick metal may not.
inline tetrawave::FaceTags make_tags(std::vector<std::int32_t> of_group,
                                     std::optional<std::int32_t> outer_default = {}) {
  return {std::move(of_group),
          outer_default,
          {true, true, false, false, true, false},
          {"pec", "pmc", "absorbing", "port 'p1'", "film", "metal"}};
}

}  // namespace tetrawave_tests
