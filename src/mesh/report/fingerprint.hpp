// Hashes that identify a mesh.
#pragma once

#include <cstdint>
#include <string>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/triangles/triangle_mesh.hpp"

namespace tetrawave {

/// Hash of all elements: ids, vertices, coordinates to the last bit, regions, boundary tags. Independent of the number
/// of ranks and the order of elements. Collective; the same on all ranks.
[[nodiscard]] std::uint64_t fingerprint_of(const LocalMesh& mesh, const comm::Communicator& ranks);

/// Hash of the mesh alone, without the boundary conditions of the case: ids, vertices, coordinates to the last bit,
/// curved edges, regions; 16 hexadecimal digits. Independent of ranks, threads and order. Collective.
[[nodiscard]] std::string hash_of_mesh(const LocalMesh& mesh, int threads, const comm::Communicator& ranks);
[[nodiscard]] std::string hash_of_mesh(const TriangleMesh& mesh);

}  // namespace tetrawave
