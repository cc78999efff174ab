#include "mesh/report/fingerprint.hpp"

#include <bit>
#include <span>

#include "base/parallel.hpp"
#include "base/text/format.hpp"
#include "mesh/hash.hpp"

namespace tetrawave {

namespace {

std::uint64_t hash_point(std::uint64_t hash, const Vec3& point) {
  return hash_words(hash, std::bit_cast<std::uint64_t>(point[0]), std::bit_cast<std::uint64_t>(point[1]),
                    std::bit_cast<std::uint64_t>(point[2]));
}

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

/// Without the boundary conditions of the case, with the nodes on curved edges.
std::uint64_t hash_geometry(const LocalMesh& mesh, std::size_t e) {
  std::uint64_t hash = hash_words(mesh.global_id[e], mesh.region[e]);
  for (std::size_t v = 0; v < 4; ++v) hash = hash_point(hash_words(hash, mesh.vertices[e][v]), mesh.corners[e][v]);
  if (const basis::Middles* middles = mesh.curved.of(e))
    for (const Vec3& middle : *middles) hash = hash_point(hash, middle);
  return hash;
}

/// Modulo 2^64, in any order.
std::uint64_t add_up(std::uint64_t own, const comm::Communicator& ranks) {
  std::uint64_t total = 0;
  for (const std::uint64_t part : ranks.all_gather(std::span<const std::uint64_t>(&own, 1))) total += part;
  return total;
}

std::string digits_of(std::uint64_t hash) { return tetrawave::format("{:016x}", hash); }

}  // namespace

std::uint64_t fingerprint_of(const LocalMesh& mesh, const comm::Communicator& ranks) {
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < mesh.global_id.size(); ++e) sum += hash_element(mesh, e);
  return hash_words(add_up(sum, ranks), mesh.global_element_count);
}

std::string hash_of_mesh(const LocalMesh& mesh, int threads, const comm::Communicator& ranks) {
  const std::size_t count = mesh.global_id.size();
  const std::size_t ranges = count_ranges(count, threads);
  std::vector<std::uint64_t> parts(ranges, 0);
  for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) parts[range] += hash_geometry(mesh, e);
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return digits_of(hash_words(add_up(sum, ranks), mesh.global_element_count));
}

std::string hash_of_mesh(const TriangleMesh& mesh) {
  std::uint64_t hash = hash_words(mesh.order, mesh.element_count());
  for (const Point2& node : mesh.nodes) hash = hash_point(hash, {node[0], node[1], 0});
  for (const auto* numbers : {&mesh.elements, &mesh.region, &mesh.edges, &mesh.edge_group})
    for (const std::int32_t number : *numbers) hash = hash_words(hash, number);
  return digits_of(hash);
}

}  // namespace tetrawave
