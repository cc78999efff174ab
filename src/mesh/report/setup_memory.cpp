#include "mesh/report/setup_memory.hpp"

#include <algorithm>
#include <array>

#include "mesh/connect/match_faces.hpp"
#include "mesh/connect/redistribute.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/report/mesh_summary.hpp"

namespace tetrawave {

namespace {

constexpr std::int64_t vertices = sizeof(std::array<GlobalIndex, 4>);
constexpr std::int64_t indices = sizeof(std::array<LocalIndex, 4>);
constexpr std::int64_t matches = sizeof(std::array<FaceMatch, 4>);
constexpr std::int64_t record = sizeof(ElementRecord);
constexpr std::int64_t metis_element = 128;  ///< METIS k-way on dual graphs of tetrahedra, measured: 99 to 128
constexpr std::int64_t mesh_element = sizeof(GlobalIndex) + vertices + 96 + 4 + indices + 4 + indices;

}  // namespace

SlabSizes sizes_of(const MeshSlab& slab) {
  return {static_cast<std::int64_t>(slab.elements.size()),
          static_cast<std::int64_t>(slab.nodes.size()),
          static_cast<std::int64_t>(slab.faces.size()),
          slab.element_count,
          slab.node_count,
          !slab.owner.empty(),
          false};
}

std::int64_t bytes_of_mesh(std::int64_t elements, bool repeated) {
  return elements * (mesh_element + (repeated ? 4 : 0));
}

std::int64_t peak_of_mesh_setup(const SlabSizes& sizes, std::int64_t own_elements, int ranks, bool first) {
  const std::int64_t summary = bytes_of_mesh(own_elements, sizes.is_repeated) +
                               own_elements * static_cast<std::int64_t>(sizeof(ElementQuality) + sizeof(double));
  if (sizes.is_repeated) return summary;
  const std::int64_t n = sizes.elements, own = own_elements;
  const bool alone = ranks == 1;
  const std::int64_t sent = 4 * n - 4 * n / ranks;  // faces, and as many received
  const std::int64_t slab = (sizes.is_partitioned ? 8 : 4) * n + 28 * sizes.faces;
  const std::int64_t elements = (vertices + indices + 1) * n + 24 * sizes.nodes;
  const std::int64_t buckets = 8 * std::min(sizes.all_nodes, 4 * n / 8 * 2);
  const std::int64_t posting = 2 * posted_face_bytes * sent;
  const std::int64_t matching =
      posted_face_bytes * sent + 4 * 4 * n + buckets + matches * n + 2 * face_answer_bytes * sent;
  const std::int64_t connect = slab + elements + std::max(posting, matching);
  const std::int64_t partition = alone || sizes.is_partitioned
                                     ? 0
                                     : slab + elements + matches * n + (vertices + indices) * n +
                                           (first ? (indices + metis_element) * sizes.all_elements : 0);
  const std::int64_t travel = slab + elements + (matches + 4 + 4 + record) * n + (alone ? 0 : record * own);
  const std::int64_t graph = indices + 8 + 1;
  const std::int64_t order = slab + own * (record + graph + 2 * 4) + bytes_of_mesh(own, false);
  return std::max({connect, partition, travel, order, summary});
}

}  // namespace tetrawave
