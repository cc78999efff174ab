// Host memory of the mesh set-up on one rank, predicted from sizes.
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
  bool is_partitioned = false;  ///< the slab gives the owners, so METIS is not needed
  bool is_repeated = false;     ///< an array made from patterns of cells (array_elements.hpp)
};
SlabSizes sizes_of(const MeshSlab& slab);

/// Bytes of a LocalMesh of `elements`; `repeated`: of an array made from patterns of cells.
std::int64_t bytes_of_mesh(std::int64_t elements, bool repeated);

/// Peak bytes from the slab to a LocalMesh of `own_elements` and its summary (build_mesh.cpp). `first`: for rank 0,
/// which partitions. An estimate if there are several ranks: the number of nodes and faces communicated depends on the
/// mesh.
std::int64_t peak_of_mesh_setup(const SlabSizes& sizes, std::int64_t own_elements, int ranks, bool first);

}  // namespace tetrawave
