// A number that says whether two meshes are the same.
#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Hash of all elements: ids, vertices, coordinates to the last bit, regions, boundary tags. It does not depend on the
/// number of ranks nor on the order of elements. A collective; the same on all ranks.
[[nodiscard]] std::uint64_t fingerprint_of(const LocalMesh& mesh, const comm::Communicator& ranks);

}  // namespace tetrawave
