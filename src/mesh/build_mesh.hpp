// From the slabs of a mesh to the elements that each rank owns.
#pragma once

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Matches the faces of all slabs, partitions the mesh and hands every rank its elements. A collective, distributed
/// but for the dual graph on rank 0. Only ownership depends on the number of ranks; global ids are the slabs'.
///
/// Throws UserError, the same on all ranks: usage (more ranks than elements); bad_mesh (elements without volume, twice,
/// overlapping or without region; faces of more than two elements; named faces of none); bad_case (a face with two
/// tags, a tag inside that must not stand there, outer faces without a tag).
LocalMesh build_local_mesh(const MeshSlab& slab, const FaceTags& tags, const comm::Communicator& ranks);

}  // namespace tetrawave
