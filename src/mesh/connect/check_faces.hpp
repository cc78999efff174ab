// Problems of faces as one error, the same on all ranks.
#pragma once

#include "comm/communicator.hpp"
#include "mesh/connect/match_faces.hpp"

namespace tetrawave {

/// Throws the worst of all ranks' face problems (see FaceProblem; among equals that of the lowest element) as a
/// UserError, on all ranks: bad_mesh for a mesh that is wrong in itself, bad_case for names that do not fit it.
/// Collective.
void check_faces(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches, const FaceTags& tags,
                 const comm::Communicator& ranks);

}  // namespace tetrawave
