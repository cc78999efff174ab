// From slabs to owners: every element is sent, with everything its owner needs, to the rank given by the partition.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/connect/match_faces.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

/// One element in transfer; the arrays are per vertex or per face, as in LocalMesh.
struct ElementRecord {
  GlobalIndex id = 0;
  std::array<GlobalIndex, 4> vertices{};
  Corners corners{};
  std::array<GlobalIndex, 4> neighbour{};  ///< global ids, or -1
  std::array<std::int32_t, 4> neighbour_owner{};
  std::array<std::int32_t, 4> boundary{};
  std::array<std::uint8_t, 4> neighbour_face{};
  std::int32_t region = 0;
};

/// Sends element e of the slab to rank owner[e]; returns the elements owned by this rank, by ascending global id.
/// Collective.
std::vector<ElementRecord> redistribute(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches,
                                        std::vector<std::int32_t> owner, int threads, const comm::Communicator& ranks);

}  // namespace tetrawave
