#include "mesh/fingerprint.hpp"

#include <bit>
#include <span>

#include "mesh/hash.hpp"

namespace tetrawave {

namespace {

std::uint64_t hash_element(const LocalMesh& mesh, std::size_t e) {
  std::uint64_t hash = hash_words(mesh.global_id[e], mesh.region[e]);
  for (std::size_t v = 0; v < 4; ++v) {
    const Vec3& corner = mesh.corners[e][v];
    hash = hash_words(hash, mesh.vertices[e][v], std::bit_cast<std::uint64_t>(corner[0]),
                      std::bit_cast<std::uint64_t>(corner[1]), std::bit_cast<std::uint64_t>(corner[2]),
                      mesh.boundary[e][v]);
  }
  return hash;
}

}  // namespace

std::uint64_t fingerprint_of(const LocalMesh& mesh, const comm::Communicator& ranks) {
  std::uint64_t sum = 0;  // modulo 2^64, in any order
  for (std::size_t e = 0; e < mesh.global_id.size(); ++e) sum += hash_element(mesh, e);
  std::uint64_t total = 0;
  for (const std::uint64_t part : ranks.all_gather(std::span<const std::uint64_t>(&sum, 1))) total += part;
  return hash_words(total, mesh.global_element_count);
}

}  // namespace tetrawave
