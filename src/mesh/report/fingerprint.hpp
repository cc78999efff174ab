// Numbers that say whether two meshes are the same.
#pragma once

#include <cstdint>
#include <string>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/triangles/triangle_mesh.hpp"

namespace tetrawave {

/// Hash of all elements: ids, vertices, coordinates to the last bit, regions, boundary tags. It does not depend on the
/// number of ranks nor on the order of elements. A collective; the same on all ranks.
[[nodiscard]] std::uint64_t fingerprint_of(const LocalMesh& mesh, const comm::Communicator& ranks);

/// Hash of the mesh alone, whatever the case makes of its faces: ids, vertices, coordinates to the last bit, curved
/// edges, regions; 16 hexadecimal digits. It does not depend on ranks, threads and order. A collective.
[[nodiscard]] std::string hash_of_mesh(const LocalMesh& mesh, int threads, const comm::Communicator& ranks);
[[nodiscard]] std::string hash_of_mesh(const TriangleMesh& mesh);

}  // namespace tetrawave
