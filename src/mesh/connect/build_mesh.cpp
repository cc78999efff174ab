#include "mesh/connect/build_mesh.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "mesh/connect/check_faces.hpp"
#include "mesh/connect/order_elements.hpp"
#include "mesh/connect/partition.hpp"
#include "mesh/connect/redistribute.hpp"
#include "mesh/connect/resize_elements.hpp"
#include "mesh/connect/space_curve.hpp"

namespace tetrawave {

namespace {

void check_tags(const MeshSlab& slab, const FaceTags& tags) {
  ensure(tags.of_group.size() == slab.group_names.size(), "every face group has an entry in the tag table");
  ensure(tags.names.size() == tags.allowed_inside.size(), "every tag has a name and a rule");
  const auto count = static_cast<std::int32_t>(tags.names.size());
  for (const std::int32_t tag : tags.of_group) ensure(tag >= -1 && tag < count, "a group's tag is in the tag table");
  ensure(tags.outer_default.value_or(-1) < count, "the default tag is in the tag table");
}

/// The grid over the whole mesh's bounding box. Collective.
CurveGrid make_grid(const SlabElements& elements, const comm::Communicator& ranks) {
  Vec3 low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const Vec3& node : elements.nodes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], node[axis]);
      high[axis] = std::max(high[axis], node[axis]);
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = ranks.min(low[axis]);
    high[axis] = ranks.max(high[axis]);
  }
  return {low, high};
}

/// Finds the number of an element of this rank by its global id: records are in ascending order of ids.
class LocalNumbers {
 public:
  explicit LocalNumbers(const std::vector<ElementRecord>& records) : records_(records) {
    if (records.empty()) return;
    first_id_ = records.front().id;
    width_ = (records.back().id - first_id_) / static_cast<GlobalIndex>(records.size()) + 1;
    for (std::size_t n = 0; n < records.size(); ++n)
      while (starts_.size() <= bucket_of(records[n].id)) starts_.push_back(static_cast<LocalIndex>(n));
    starts_.push_back(static_cast<LocalIndex>(records.size()));
  }

  [[nodiscard]] LocalIndex of(GlobalIndex id) const {
    const std::size_t bucket = id < first_id_ ? starts_.size() : bucket_of(id);
    ensure(bucket + 1 < starts_.size(), "a neighbour of this rank's is here");
    const auto last = records_.begin() + starts_[bucket + 1];
    const auto found =
        std::lower_bound(records_.begin() + starts_[bucket], last, id,
                         [](const ElementRecord& record, GlobalIndex wanted) { return record.id < wanted; });
    ensure(found != last && found->id == id, "a neighbour of this rank's is here");
    return static_cast<LocalIndex>(found - records_.begin());
  }

 private:
  [[nodiscard]] std::size_t bucket_of(GlobalIndex id) const {
    return static_cast<std::size_t>((id - first_id_) / width_);
  }

  const std::vector<ElementRecord>& records_;
  GlobalIndex first_id_ = 0;
  GlobalIndex width_ = 1;           ///< ids of a bucket, which holds one record on average
  std::vector<LocalIndex> starts_;  ///< number of each bucket's first record, and the end
};

/// Neighbours of a record as in LocalMesh, but by number of record.
std::array<LocalIndex, 4> find_neighbours(const ElementRecord& record, const LocalNumbers& numbers, int rank) {
  std::array<LocalIndex, 4> found{};
  for (std::size_t f = 0; f < 4; ++f) {
    const bool here = record.neighbour_owner[f] == rank;
    found[f] = record.neighbour[f] < 0 ? no_neighbour : here ? numbers.of(record.neighbour[f]) : remote_neighbour;
  }
  return found;
}

ElementGraph make_graph(const std::vector<ElementRecord>& records, const CurveGrid& grid, int threads, int rank) {
  ElementGraph graph;
  graph.neighbours.resize(records.size());
  graph.curve.resize(records.size());
  graph.is_border.resize(records.size());
  const LocalNumbers numbers(records);
  for_each_index(records.size(), threads, [&](std::size_t n) {
    const auto& found = graph.neighbours[n] = find_neighbours(records[n], numbers, rank);
    graph.curve[n] = grid.code(centroid(records[n].corners));
    graph.is_border[n] = std::find(found.begin(), found.end(), remote_neighbour) != found.end() ? 1 : 0;
  });
  return graph;
}

void fill_elements(LocalMesh& mesh, const std::vector<ElementRecord>& records, const ElementGraph& graph,
                   const std::vector<LocalIndex>& order, int threads) {
  std::vector<LocalIndex> place(order.size());
  for (std::size_t e = 0; e < order.size(); ++e) place[static_cast<std::size_t>(order[e])] = static_cast<LocalIndex>(e);
  resize_elements(mesh, order.size(), threads);
  for_each_index(order.size(), threads, [&](std::size_t e) {
    const auto n = static_cast<std::size_t>(order[e]);
    const ElementRecord& record = records[n];
    mesh.global_id[e] = record.id;
    mesh.vertices[e] = record.vertices;
    mesh.corners[e] = record.corners;
    mesh.region[e] = record.region;
    for (std::size_t f = 0; f < 4; ++f) {
      const LocalIndex neighbour = graph.neighbours[n][f];
      mesh.neighbour[e][f] = neighbour < 0 ? neighbour : place[static_cast<std::size_t>(neighbour)];
    }
    mesh.neighbour_face[e] = record.neighbour_face;
    mesh.boundary[e] = record.boundary;
  });
}

/// The faces shared with other ranks.
std::vector<HaloPeer> find_peers(const std::vector<ElementRecord>& records, const std::vector<LocalIndex>& order,
                                 LocalIndex border_count, int rank) {
  std::vector<SharedFace> shared;
  for (LocalIndex local = 0; local < border_count; ++local) {
    const ElementRecord& record = records[static_cast<std::size_t>(order[static_cast<std::size_t>(local)])];
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t owner = record.neighbour_owner[f];
      if (owner < 0 || owner == rank) continue;
      const auto& [a, b, c] = face_corners[f];
      shared.push_back(
          {owner, {record.vertices[a], record.vertices[b], record.vertices[c]}, local, static_cast<std::uint8_t>(f)});
    }
  }
  return group_by_rank(std::move(shared));
}

LocalMesh assemble(const std::vector<ElementRecord>& records, const CurveGrid& grid, const MeshOptions& options,
                   int rank) {
  ensure(records.size() < static_cast<std::size_t>(std::numeric_limits<LocalIndex>::max()),
         "a rank's elements are counted in 32 bits");
  const ElementGraph graph = make_graph(records, grid, options.threads, rank);
  const std::vector<LocalIndex> order = order_elements(graph, options.ordering, options.threads);
  LocalMesh mesh;
  mesh.border_count = static_cast<LocalIndex>(std::count(graph.is_border.begin(), graph.is_border.end(), 1));
  fill_elements(mesh, records, graph, order, options.threads);
  mesh.peers = find_peers(records, order, mesh.border_count, rank);
  return mesh;
}

void end_phase(PhaseClock* clock, const char* name) {
  if (clock != nullptr) clock->end(name);
}

/// As given in the slab, else METIS decides.
std::vector<std::int32_t> find_owners(ConnectedSlab& connected, const CutWeights& weights,
                                      const comm::Communicator& ranks) {
  if (ranks.size() == 1) return std::vector<std::int32_t>(connected.elements.size(), 0);
  if (!connected.slab.owner.empty()) return std::move(connected.slab.owner);
  std::vector<std::array<GlobalIndex, 4>> neighbours;
  neighbours.reserve(connected.elements.size());
  for (const auto& faces : connected.matches.of_element) {
    neighbours.push_back({faces[0].neighbour, faces[1].neighbour, faces[2].neighbour, faces[3].neighbour});
  }
  return partition_elements(neighbours, connected.slab.element_count, ranks, weights);
}

}  // namespace

ConnectedSlab connect_elements(MeshSlab slab, const FaceTags& tags, int threads, const comm::Communicator& ranks,
                               PhaseClock* clock) {
  ranks.agree([&] {
    check_tags(slab, tags);
    check_rank_count(slab.element_count, ranks.size());
  });
  ConnectedSlab connected;
  connected.slab = std::move(slab);
  const SameNodes same = identify_nodes(connected.slab, tags, ranks);
  for (auto& face : connected.slab.faces)
    for (GlobalIndex& node : face) node = same(node);
  connected.elements = collect_elements(connected.slab, same, threads, ranks);
  end_phase(clock, "corners");
  connected.matches = match_faces(connected.slab, connected.elements, tags, threads, ranks);
  end_phase(clock, "match");
  check_faces(connected.slab, connected.elements, connected.matches, tags, ranks);
  end_phase(clock, "check");
  return connected;
}

LocalMesh distribute_elements(ConnectedSlab connected, const MeshOptions& options, const comm::Communicator& ranks,
                              PhaseClock* clock) {
  const CurveGrid grid = make_grid(connected.elements, ranks);
  std::vector<std::int32_t> owners = find_owners(connected, options.weights, ranks);
  end_phase(clock, "partition");
  const std::vector<ElementRecord> records =
      redistribute(connected.slab, connected.elements, connected.matches, std::move(owners), options.threads, ranks);
  end_phase(clock, "redistribute");
  connected.elements = {};
  connected.matches = {};
  LocalMesh mesh;
  ranks.agree([&] { mesh = assemble(records, grid, options, ranks.rank()); });
  end_phase(clock, "order");
  mesh.global_element_count = connected.slab.element_count;
  mesh.region_names = connected.slab.region_names;
  mesh.group_names = connected.slab.group_names;
  return mesh;
}

LocalMesh build_local_mesh(MeshSlab slab, const FaceTags& tags, const comm::Communicator& ranks,
                           const MeshOptions& options) {
  return distribute_elements(connect_elements(std::move(slab), tags, options.threads, ranks), options, ranks);
}

}  // namespace tetrawave
