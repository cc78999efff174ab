// From slabs to owners: every element travels, with all that its owner needs, to the rank that the partition names.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/connect/match_faces.hpp"
#include "mesh/mesh_slab.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

/// One element on its way; the arrays are per vertex or per face, as in LocalMesh.
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

/// Sends element e of the slab to rank owner[e]; returns the elements that this rank owns, by ascending global id.
/// A collective.
std::vector<ElementRecord> redistribute(const MeshSlab& slab, const SlabElements& elements, const FaceMatches& matches,
                                        std::vector<std::int32_t> owner, int threads, const comm::Communicator& ranks);

}  // namespace tetrawave
