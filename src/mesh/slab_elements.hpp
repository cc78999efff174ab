// The elements of a slab with sorted vertices and their coordinates.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

/// Per element of a slab, in its order: vertices by ascending node id, and where they are (m).
struct SlabElements {
  std::vector<std::array<GlobalIndex, 4>> vertices;
  std::vector<Corners> corners;
};

/// Collects the corners of this rank's slab elements from the ranks that hold the nodes. A collective.
///
/// Throws UserError (bad_mesh) on all ranks, naming the first element at fault: a node that does not exist or is not
/// finite, a volume below 1e-14 of the longest edge cubed, a region that does not exist.
SlabElements collect_elements(const MeshSlab& slab, const comm::Communicator& ranks);

/// "(x, y, z) m", for messages.
std::string describe_place(const Vec3& place);

}  // namespace tetrawave
