#include "mesh/build_mesh.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "mesh/check_faces.hpp"
#include "mesh/partition.hpp"
#include "mesh/redistribute.hpp"
#include "mesh/space_curve.hpp"

namespace tetrawave {

namespace {

void check_tags(const MeshSlab& slab, const FaceTags& tags) {
  ensure(tags.of_group.size() == slab.group_names.size(), "every face group has an entry in the tag table");
  ensure(tags.names.size() == tags.allowed_inside.size(), "every tag has a name and a rule");
  const auto count = static_cast<std::int32_t>(tags.names.size());
  for (const std::int32_t tag : tags.of_group) ensure(tag >= -1 && tag < count, "a group's tag is in the tag table");
  ensure(tags.outer_default.value_or(-1) < count, "the default tag is in the tag table");
}

/// The grid of the whole mesh's bounding box. A collective.
CurveGrid make_grid(const SlabElements& elements, const comm::Communicator& ranks) {
  Vec3 low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const Corners& corners : elements.corners) {
    for (const Vec3& corner : corners) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], corner[axis]);
        high[axis] = std::max(high[axis], corner[axis]);
      }
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = ranks.min(low[axis]);
    high[axis] = ranks.max(high[axis]);
  }
  return {low, high};
}

bool is_on_border(const ElementRecord& element, int rank) {
  return std::any_of(element.neighbour_owner.begin(), element.neighbour_owner.end(),
                     [rank](std::int32_t owner) { return owner >= 0 && owner != rank; });
}

/// Record numbers in the order of LocalMesh: the border first, each part along the curve, ties by global id (records
/// come by ascending id).
std::vector<std::size_t> order_elements(const std::vector<ElementRecord>& records, const CurveGrid& grid, int rank) {
  std::vector<std::tuple<bool, std::uint64_t, std::size_t>> keys;
  keys.reserve(records.size());
  for (const ElementRecord& record : records) {
    keys.emplace_back(!is_on_border(record, rank), grid.code(centroid(record.corners)), keys.size());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const auto& key : keys) order.push_back(std::get<2>(key));
  return order;
}

/// Local numbers of the owned elements by global id.
class LocalNumbers {
 public:
  LocalNumbers(const std::vector<ElementRecord>& records, const std::vector<std::size_t>& order)
      : records_(records), number_(records.size()) {
    for (std::size_t local = 0; local < order.size(); ++local) number_[order[local]] = static_cast<LocalIndex>(local);
  }

  [[nodiscard]] LocalIndex of(GlobalIndex id) const {
    const auto found =
        std::lower_bound(records_.begin(), records_.end(), id,
                         [](const ElementRecord& record, GlobalIndex wanted) { return record.id < wanted; });
    ensure(found != records_.end() && found->id == id, "a neighbour of this rank's is here");
    return number_[static_cast<std::size_t>(found - records_.begin())];
  }

 private:
  const std::vector<ElementRecord>& records_;
  std::vector<LocalIndex> number_;
};

void add_element(LocalMesh& mesh, const ElementRecord& record, const LocalNumbers& numbers, int rank) {
  std::array<LocalIndex, 4> neighbour{};
  for (std::size_t f = 0; f < 4; ++f) {
    const bool local = record.neighbour_owner[f] == rank;
    neighbour[f] = record.neighbour[f] < 0 ? no_neighbour : local ? numbers.of(record.neighbour[f]) : remote_neighbour;
  }
  mesh.global_id.push_back(record.id);
  mesh.vertices.push_back(record.vertices);
  mesh.corners.push_back(record.corners);
  mesh.region.push_back(record.region);
  mesh.neighbour.push_back(neighbour);
  mesh.neighbour_face.push_back(record.neighbour_face);
  mesh.boundary.push_back(record.boundary);
}

/// Groups the faces shared with other ranks by rank, each group by ascending vertices: both sides know these, so both
/// get the same order without asking.
std::vector<HaloPeer> find_peers(const std::vector<ElementRecord>& records, const std::vector<std::size_t>& order,
                                 LocalIndex border_count, int rank) {
  std::vector<std::tuple<int, std::array<GlobalIndex, 3>, LocalIndex, std::uint8_t>> shared;
  for (LocalIndex local = 0; local < border_count; ++local) {
    const ElementRecord& record = records[order[static_cast<std::size_t>(local)]];
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t owner = record.neighbour_owner[f];
      if (owner < 0 || owner == rank) continue;
      const auto& [a, b, c] = face_corners[f];
      const std::array<GlobalIndex, 3> vertices{record.vertices[a], record.vertices[b], record.vertices[c]};
      shared.emplace_back(owner, vertices, local, static_cast<std::uint8_t>(f));
    }
  }
  std::sort(shared.begin(), shared.end());
  std::vector<HaloPeer> peers;
  for (const auto& [owner, vertices, element, face] : shared) {
    if (peers.empty() || peers.back().rank != owner) peers.push_back({owner, {}});
    peers.back().faces.push_back({element, face});
  }
  return peers;
}

LocalMesh assemble(const MeshSlab& slab, const std::vector<ElementRecord>& records, const CurveGrid& grid, int rank) {
  ensure(records.size() < static_cast<std::size_t>(std::numeric_limits<LocalIndex>::max()),
         "a rank's elements are counted in 32 bits");
  LocalMesh mesh;
  mesh.global_element_count = slab.element_count;
  mesh.region_names = slab.region_names;
  mesh.group_names = slab.group_names;
  const std::vector<std::size_t> order = order_elements(records, grid, rank);
  const LocalNumbers numbers(records, order);
  mesh.border_count = static_cast<LocalIndex>(std::count_if(
      records.begin(), records.end(), [rank](const ElementRecord& record) { return is_on_border(record, rank); }));
  for (const std::size_t number : order) add_element(mesh, records[number], numbers, rank);
  mesh.peers = find_peers(records, order, mesh.border_count, rank);
  return mesh;
}

std::vector<std::int32_t> find_owners(const MeshSlab& slab, const FaceMatches& matches,
                                      const comm::Communicator& ranks) {
  std::vector<std::array<GlobalIndex, 4>> neighbours;
  neighbours.reserve(matches.of_element.size());
  for (const auto& faces : matches.of_element) {
    neighbours.push_back({faces[0].neighbour, faces[1].neighbour, faces[2].neighbour, faces[3].neighbour});
  }
  return partition_elements(neighbours, slab.element_count, ranks);
}

}  // namespace

LocalMesh build_local_mesh(const MeshSlab& slab, const FaceTags& tags, const comm::Communicator& ranks) {
  ranks.agree([&] {
    check_tags(slab, tags);
    check_rank_count(slab.element_count, ranks.size());
  });
  const SlabElements elements = collect_elements(slab, ranks);
  const FaceMatches matches = match_faces(slab, elements, tags, ranks);
  check_faces(slab, elements, matches, tags, ranks);
  const std::vector<std::int32_t> owners = find_owners(slab, matches, ranks);
  const CurveGrid grid = make_grid(elements, ranks);
  const std::vector<ElementRecord> records = redistribute(slab, elements, matches, owners, ranks);
  LocalMesh mesh;
  ranks.agree([&] { mesh = assemble(slab, records, grid, ranks.rank()); });
  return mesh;
}

}  // namespace tetrawave
