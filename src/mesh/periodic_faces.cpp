#include "mesh/periodic_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "base/error.hpp"
#include "mesh/look_up.hpp"
#include "mesh/slab_elements.hpp"

namespace tetrawave {

namespace {

constexpr double tolerance = 1e-6;  ///< of the diagonal of the faces' box

using Triangle = std::array<GlobalIndex, 3>;

/// A complete group of faces, on every rank.
struct Faces {
  std::vector<Triangle> triangles;
  std::map<GlobalIndex, Vec3> nodes;
  Vec3 low{};
  Vec3 high{};

  [[nodiscard]] double size() const { return std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]); }
};

Faces gather_faces(const MeshSlab& slab, std::int32_t group, const comm::Communicator& ranks) {
  std::vector<Triangle> mine;
  for (std::size_t n = 0; n < slab.faces.size(); ++n)
    if (slab.face_group[n] == group) mine.push_back(slab.faces[n]);
  Faces faces;
  faces.triangles = ranks.all_gather(std::span<const Triangle>(mine));
  struct Node {
    GlobalIndex id;
    Vec3 place;
  };
  std::vector<Node> own;
  for (const Triangle& triangle : faces.triangles)
    for (const GlobalIndex node : triangle)
      if (node >= slab.first_node && node < slab.first_node + static_cast<GlobalIndex>(slab.nodes.size()))
        own.push_back({node, slab.nodes[static_cast<std::size_t>(node - slab.first_node)]});
  std::sort(own.begin(), own.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
  own.erase(std::unique(own.begin(), own.end(), [](const Node& a, const Node& b) { return a.id == b.id; }), own.end());
  for (const Node& node : ranks.all_gather(std::span<const Node>(own))) faces.nodes.emplace(node.id, node.place);
  faces.low.fill(std::numeric_limits<double>::infinity());
  faces.high.fill(-std::numeric_limits<double>::infinity());
  for (const auto& [id, place] : faces.nodes)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      faces.low[axis] = std::min(faces.low[axis], place[axis]);
      faces.high[axis] = std::max(faces.high[axis], place[axis]);
    }
  return faces;
}

/// Finds nodes by position, in cells of twice the tolerance.
class Places {
 public:
  Places(const Faces& faces, double reach) : faces_(faces), reach_(reach) {
    for (const auto& [id, place] : faces.nodes) cells_[cell_of(place, {})].push_back(id);
  }
  /// The node within the tolerance, or -1.
  [[nodiscard]] GlobalIndex find(const Vec3& place) const {
    for (int corner = 0; corner < 8; ++corner) {
      const auto cell =
          cells_.find(cell_of(place, {corner & 1 ? 1. : -1., corner & 2 ? 1. : -1., corner & 4 ? 1. : -1.}));
      if (cell == cells_.end()) continue;
      for (const GlobalIndex id : cell->second) {
        const Vec3& there = faces_.nodes.at(id);
        if (std::hypot(there[0] - place[0], there[1] - place[1], there[2] - place[2]) <= reach_) return id;
      }
    }
    return -1;
  }

 private:
  [[nodiscard]] std::array<std::int64_t, 3> cell_of(const Vec3& place, const Vec3& side) const {
    std::array<std::int64_t, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      cell[axis] =
          static_cast<std::int64_t>(std::floor((place[axis] - faces_.low[axis] + side[axis] * reach_) / (2 * reach_)));
    return cell;
  }
  const Faces& faces_;
  double reach_;
  std::map<std::array<std::int64_t, 3>, std::vector<GlobalIndex>> cells_;
};

/// Classes of identified nodes; the lowest represents all.
class Classes {
 public:
  GlobalIndex lowest(GlobalIndex node) {
    auto& above = parent_.try_emplace(node, node).first->second;
    return above == node ? node : above = lowest(above);
  }
  void join(GlobalIndex a, GlobalIndex b) {
    a = lowest(a);
    b = lowest(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs() {
    std::vector<std::pair<GlobalIndex, GlobalIndex>> all;
    for (const auto& [node, parent] : parent_) all.emplace_back(node, parent);
    for (auto& [node, parent] : all) parent = lowest(node);
    return all;
  }

 private:
  std::map<GlobalIndex, GlobalIndex> parent_;
};

constexpr const char* remedy = "mesh both faces alike (in Gmsh: Periodic Surface)";

void identify_pair(const Faces& a, const Faces& b, const std::string& names, Classes& classes) {
  if (a.triangles.empty() || b.triangles.empty()) fail(ExitCode::bad_case, "{}: a group has no faces", names);
  Vec3 shift{};
  for (std::size_t axis = 0; axis < 3; ++axis) shift[axis] = b.low[axis] - a.low[axis];
  const double reach = tolerance * std::max(a.size(), b.size());
  if (std::hypot(shift[0], shift[1], shift[2]) <= reach)
    fail(ExitCode::bad_case, "{}: both groups are at the same position; name two opposite faces", names);
  const Places places(b, reach);
  std::map<GlobalIndex, GlobalIndex> partner;
  for (const auto& [id, place] : a.nodes) {
    const Vec3 there{place[0] + shift[0], place[1] + shift[1], place[2] + shift[2]};
    const GlobalIndex found = places.find(there);
    if (found < 0)
      fail(ExitCode::bad_case, "{}: the vertex at {} of the first has no partner at {} of the second: {}", names,
           describe_place(place), describe_place(there), remedy);
    partner[id] = found;
    classes.join(id, found);
  }
  const auto sorted = [](Triangle triangle) {
    std::sort(triangle.begin(), triangle.end());
    return triangle;
  };
  std::set<Triangle> others;
  for (const Triangle& triangle : b.triangles) others.insert(sorted(triangle));
  for (const Triangle& triangle : a.triangles) {
    if (others.erase(sorted({partner[triangle[0]], partner[triangle[1]], partner[triangle[2]]})) == 1) continue;
    fail(ExitCode::bad_case, "{}: the face of the first with a vertex at {} has no partner in the second: {}", names,
         describe_place(a.nodes.at(triangle[0])), remedy);
  }
  if (!others.empty())
    fail(ExitCode::bad_case, "{}: the second group has {} faces more than the first: {}", names, others.size(), remedy);
}

}  // namespace

GlobalIndex SameNodes::operator()(GlobalIndex node) const {
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), node,
                                      [](const auto& pair, GlobalIndex n) { return pair.first < n; });
  return found != pairs_.end() && found->first == node ? found->second : node;
}

SameNodes identify_nodes(const MeshSlab& slab, const FaceTags& tags, const comm::Communicator& ranks) {
  if (tags.periodic.empty()) return {};
  Classes classes;
  for (const auto& [first, second, place] : tags.periodic) {
    const Faces a = gather_faces(slab, first, ranks);
    const Faces b = gather_faces(slab, second, ranks);
    const std::string names = tetrawave::format("{}: error: boundaries.periodic: '{}' and '{}'", place,
                                                slab.group_names[static_cast<std::size_t>(first)],
                                                slab.group_names[static_cast<std::size_t>(second)]);
    ranks.agree([&] { identify_pair(a, b, names, classes); });
  }
  return {classes.pairs(), tags.periodic.front().place};
}

}  // namespace tetrawave
