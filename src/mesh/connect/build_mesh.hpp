// From the slabs of a mesh to the elements owned by each rank.
#pragma once

#include "base/phase_clock.hpp"
#include "comm/communicator.hpp"
#include "mesh/connect/match_faces.hpp"
#include "mesh/connect/partition.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

struct MeshOptions {
  Ordering ordering = Ordering::blocks;
  int threads = 1;       ///< of this rank
  CutWeights weights{};  ///< of the elements of this rank's slab, for the partition
};

/// A rank's slab with the neighbours of its elements.
struct ConnectedSlab {
  MeshSlab slab;  ///< without elements and nodes
  SlabElements elements;
  FaceMatches matches;
};

/// Collects the corners of the slab's elements, matches the faces of all slabs and checks them. Collective, distributed
/// over the ranks. Global ids are those of the slabs. `clock`: records the phases corners, match and check.
///
/// Throws UserError, the same on all ranks: usage (more ranks than elements); bad_mesh (elements without volume,
/// duplicate, overlapping or without region; faces of more than two elements; named faces of none); bad_case (a face
/// with two tags, a tag between elements that is not allowed there, outer faces without a tag; periodic faces that do
/// not match).
ConnectedSlab connect_elements(MeshSlab slab, const FaceTags& tags, int threads, const comm::Communicator& ranks,
                               PhaseClock* clock = nullptr);

/// Partitions the mesh and sends every rank its elements, in the order given by `options`. Collective, distributed
/// except for the dual graph on rank 0. Only ownership depends on the number of ranks. `clock`: records the phases
/// partition, redistribute and order.
LocalMesh distribute_elements(ConnectedSlab connected, const MeshOptions& options, const comm::Communicator& ranks,
                              PhaseClock* clock = nullptr);

/// Both.
LocalMesh build_local_mesh(MeshSlab slab, const FaceTags& tags, const comm::Communicator& ranks,
                           const MeshOptions& options = {});

}  // namespace tetrawave
