// Room for the elements of a mesh.
#pragma once

#include <cstddef>

#include "base/copy_on_threads.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Resizes the lists of all meshes to `count` elements, with pages that threads have given out; not `shape`, which
/// arrays of unit cells alone have.
inline void resize_elements(LocalMesh& mesh, std::size_t count, int threads) {
  const auto resize = [&](auto& list) { resize_on_threads(list, count, threads); };
  resize(mesh.global_id);
  resize(mesh.vertices);
  resize(mesh.corners);
  resize(mesh.region);
  resize(mesh.neighbour);
  resize(mesh.neighbour_face);
  resize(mesh.boundary);
}

}  // namespace tetrawave
