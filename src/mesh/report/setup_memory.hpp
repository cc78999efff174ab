// How much host memory the set-up of the mesh takes on one rank, from sizes, before it begins.
#pragma once

#include <cstdint>

#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Sizes of a rank's slab and of the whole mesh.
struct SlabSizes {
  std::int64_t elements = 0;
  std::int64_t nodes = 0;
  std::int64_t faces = 0;  ///< named ones
  std::int64_t all_elements = 0;
  std::int64_t all_nodes = 0;
  bool is_partitioned = false;  ///< the slab names the owners, so that METIS is not asked
  bool is_repeated = false;     ///< an array made from patterns of cells (array_elements.hpp)
};
SlabSizes sizes_of(const MeshSlab& slab);

/// Bytes of a LocalMesh of `elements`; `repeated`: of an array made from patterns of cells.
std::int64_t bytes_of_mesh(std::int64_t elements, bool repeated);

/// Most bytes at a time from the slab to a LocalMesh of `own_elements` and its summary (build_mesh.cpp). `first`: of
/// rank 0, which partitions. An estimate where there are several ranks: how many nodes and faces travel depends on the
/// mesh.
std::int64_t peak_of_mesh_setup(const SlabSizes& sizes, std::int64_t own_elements, int ranks, bool first);

}  // namespace tetrawave
