// The elements of a slab with sorted vertices and their coordinates.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/periodic_faces.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

/// The elements of a slab, in its order.
struct SlabElements {
  std::vector<std::array<GlobalIndex, 4>> vertices;  ///< ascending node ids, for identified nodes the lowest
  std::vector<std::array<LocalIndex, 4>> corner;     ///< their index in `nodes`
  std::vector<Vec3> nodes;                           ///< (m) of the slab, then those of other ranks
  std::vector<std::uint8_t> is_positive;             ///< whether signed_volume is

  [[nodiscard]] std::size_t size() const { return vertices.size(); }
  [[nodiscard]] Corners corners(std::size_t e) const {
    Corners result;
    for (std::size_t v = 0; v < 4; ++v) result[v] = nodes[static_cast<std::size_t>(corner[e][v])];
    return result;
  }
};

/// Moves elements and nodes out of the slab and fetches their corners on other ranks. Collective.
///
/// Throws UserError (bad_mesh) on all ranks, naming the first faulty element: a node that does not exist or is not
/// finite, a volume below 1e-14 of the longest edge cubed, a region that does not exist; bad_case: an element with two
/// identified corners.
SlabElements collect_elements(MeshSlab& slab, const SameNodes& same, int threads, const comm::Communicator& ranks);

/// "(x, y, z) m", for messages.
std::string describe_place(const Vec3& place);

}  // namespace tetrawave
