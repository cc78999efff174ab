#include "mesh/solid_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <ranges>
#include <span>
#include <tuple>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "base/vertex_marks.hpp"
#include "mesh/hash.hpp"
#include "mesh/map_element.hpp"

namespace tetrawave {

namespace {

/// An edge of a face of metal.
struct FaceEdge {
  GlobalIndex low = 0, high = 0;
  LocalIndex element = 0;
  std::uint8_t face = 0;
  [[nodiscard]] auto operator<=>(const FaceEdge&) const = default;
};

/// The same with what the edge's owner needs.
struct FaceAtEdge {
  GlobalIndex low = 0, high = 0, third = 0;
  Vec3 outward{};   ///< of the medium, a unit vector
  Vec3 to_third{};  ///< from the middle of the edge, perpendicular to it [m]
  std::int32_t is_outer = 0;
  [[nodiscard]] auto key() const { return std::tie(low, high, third); }
};

struct SolidEdge {
  GlobalIndex low = 0, high = 0;
  std::array<GlobalIndex, 2> third{};  ///< of both faces
  std::array<double, 2> height_m{};    ///< of both faces over the edge
  double nu = 1;
};

/// Groups of a sorted list with the same vertices `low` and `high`.
template <class List, class Action>
void for_each_edge(const List& list, const Action& action) {
  for (auto begin = list.begin(); begin != list.end();) {
    const auto end = std::find_if(
        begin, list.end(), [&](const auto& other) { return other.low != begin->low || other.high != begin->high; });
    action(std::span(begin, end));
    begin = end;
  }
}

FaceAtEdge describe(const LocalMesh& mesh, const FaceEdge& edge) {
  const auto e = static_cast<std::size_t>(edge.element);
  FaceAtEdge result{edge.low, edge.high, 0, {}, {}, mesh.neighbour[e][edge.face] == no_neighbour ? 1 : 0};
  std::size_t low = 0, high = 0, third = 0;
  for (std::size_t v = 0; v < 4; ++v) {
    if (v == edge.face) continue;
    const GlobalIndex vertex = mesh.vertices[e][v];
    if (vertex != edge.low && vertex != edge.high) result.third = vertex;
    (vertex == edge.low ? low : vertex == edge.high ? high : third) = v;
  }
  const Vec3 along = mesh.corners[e][high] - mesh.corners[e][low];
  const Vec3 slope = slope_from_edge(mesh, e, low, high, third);
  result.to_third = slope - (dot(slope, along) / dot(along, along)) * along;
  const Vec3 normal = cross(along, result.to_third);
  const double side = dot(normal, mesh.corners[e][edge.face] - mesh.corners[e][low]) > 0 ? -1.0 : 1.0;
  result.outward = (side / norm(normal)) * normal;
  return result;
}

/// nu of the medium between two outer faces, 1 at concave and flat edges.
double exponent(const FaceAtEdge& a, const FaceAtEdge& b) {
  if (a.is_outer == 0 || b.is_outer == 0 || dot(a.outward, b.to_third) <= 1e-6 * norm(b.to_third)) return 1;
  return pi / (pi + std::acos(std::clamp(dot(a.outward, b.outward), -1.0, 1.0)));
}

constexpr double largest_nu = 0.75 - 1e-6;  // 240 degrees

/// Of this rank's faces of metal.
std::vector<FaceEdge> list_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads) {
  auto edges = collect<FaceEdge>(mesh.vertices.size(), threads, [&](std::size_t e, std::vector<FaceEdge>& list) {
    for (std::uint8_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag < 0 || !is_metal[static_cast<std::size_t>(tag)]) continue;
      const auto& v = mesh.vertices[e];
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = a + 1; b < 4; ++b)
          if (a != f && b != f) list.push_back({v[a], v[b], static_cast<LocalIndex>(e), f});
    }
  });
  sort_list(edges, threads);
  return edges;
}

/// What an edge's owner needs of this rank's faces: nothing of a pair that is no edge of solid metal. One face of a
/// sheet is enough to say that its edges are none.
void add_faces(const LocalMesh& mesh, std::span<const FaceEdge> faces, std::vector<FaceAtEdge>& list) {
  const std::size_t before = list.size();
  bool all_outer = true;
  for (const FaceEdge& face : faces) {
    const bool outer = mesh.neighbour[static_cast<std::size_t>(face.element)][face.face] == no_neighbour;
    if (outer || all_outer) list.push_back(describe(mesh, face));
    all_outer = all_outer && outer;
  }
  if (faces.size() == 2 && all_outer && exponent(list[before], list[before + 1]) > largest_nu) list.resize(before);
}

/// By owner.
std::vector<std::vector<FaceAtEdge>> list_faces_at_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal,
                                                         int threads, const comm::Communicator& ranks) {
  const std::vector<FaceEdge> edges = list_edges(mesh, is_metal, threads);
  const auto same = [](const FaceEdge& a, const FaceEdge& b) { return a.low == b.low && a.high == b.high; };
  const auto faces = collect<FaceAtEdge>(edges.size(), threads, [&](std::size_t i, std::vector<FaceAtEdge>& list) {
    if (i > 0 && same(edges[i - 1], edges[i])) return;
    std::size_t end = i + 1;
    while (end < edges.size() && same(edges[i], edges[end])) ++end;
    add_faces(mesh, std::span(edges).subspan(i, end - i), list);
  });
  std::vector<std::vector<FaceAtEdge>> posted(static_cast<std::size_t>(ranks.size()));
  for (const FaceAtEdge& face : faces)
    posted[hash_words(face.low, face.high) % static_cast<std::uint64_t>(ranks.size())].push_back(face);
  return posted;
}

/// Those that this rank owns.
std::vector<SolidEdge> find_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                                  const comm::Communicator& ranks) {
  std::vector<FaceAtEdge> faces;
  for (const auto& list : ranks.exchange(list_faces_at_edges(mesh, is_metal, threads, ranks)))
    faces.insert(faces.end(), list.begin(), list.end());
  sort_list(faces, threads, [](const FaceAtEdge& a, const FaceAtEdge& b) { return a.key() < b.key(); });
  std::vector<SolidEdge> edges;
  for_each_edge(faces, [&](const std::span<const FaceAtEdge> at) {
    if (at.size() != 2) return;
    const double nu = exponent(at[0], at[1]);
    if (nu > largest_nu) return;
    edges.push_back(
        {at[0].low, at[0].high, {at[0].third, at[1].third}, {norm(at[0].to_third), norm(at[1].to_third)}, nu});
  });
  return edges;
}

template <class T>
std::vector<T> gather(std::vector<T> mine, const comm::Communicator& ranks) {
  std::vector<T> all = ranks.all_gather(std::span<const T>(mine));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Height of the lower side at an edge, if it ends at another edge, in units of the other side's faces: of the elements
/// across the edge, whatever their length along it.
double height_of_side(const SolidEdge& edge, const std::vector<GlobalIndex>& on_edges) {
  constexpr double flat = 0.5;  // faces that meet in the middle of a low side
  const std::size_t low = edge.height_m[0] < edge.height_m[1] ? 0 : 1;
  const double height = edge.height_m[low] / edge.height_m[1 - low];
  if (std::binary_search(on_edges.begin(), on_edges.end(), edge.third[low])) return height;
  return height <= flat ? 2 * height : HUGE_VAL;
}

std::int32_t level_of_edge(const SolidEdge& edge, const std::vector<GlobalIndex>& on_edges) {
  constexpr double decay = 5;  // theory/metal-edges
  const double nu = 0.5 + (edge.nu - 0.5) * (1 - std::exp(-decay * height_of_side(edge, on_edges)));
  return static_cast<std::int32_t>(std::lround(SolidEdges::levels * nu));
}

}  // namespace

std::int32_t SolidEdges::level_of(GlobalIndex vertex) const {
  const auto found = std::lower_bound(vertices.begin(), vertices.end(), SolidEdgeVertex{vertex, 0});
  return found != vertices.end() && found->vertex == vertex ? found->level : 0;
}

SolidEdges find_solid_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                            const comm::Communicator& ranks) {
  const std::vector<SolidEdge> edges = find_edges(mesh, is_metal, threads, ranks);
  SolidEdges result;
  if (ranks.max(static_cast<std::int64_t>(edges.size())) == 0) return result;
  std::vector<GlobalIndex> mine;
  for (const SolidEdge& edge : edges) mine.insert(mine.end(), {edge.low, edge.high});
  const std::vector<GlobalIndex> on_edges = gather(std::move(mine), ranks);
  std::vector<SolidEdgeVertex> levels;
  for (const SolidEdge& edge : edges)
    for (const GlobalIndex v : {edge.low, edge.high}) levels.push_back({v, level_of_edge(edge, on_edges)});
  result.vertices = gather(std::move(levels), ranks);
  const auto same = [](const SolidEdgeVertex& a, const SolidEdgeVertex& b) { return a.vertex == b.vertex; };
  result.vertices.erase(std::unique(result.vertices.begin(), result.vertices.end(), same), result.vertices.end());
  const VertexMarks at_edges(std::views::transform(result.vertices, [](const auto& at) { return at.vertex; }));
  result.level.resize(mesh.vertices.size());
  for_each_index(mesh.vertices.size(), threads, [&](std::size_t e) {
    std::int32_t& least = result.level[e];
    for (const GlobalIndex v : mesh.vertices[e]) {
      const std::int32_t level = at_edges.has(v) ? result.level_of(v) : 0;
      if (level > 0) least = least == 0 ? level : std::min(least, level);
    }
  });
  const auto without = std::count(result.level.begin(), result.level.end(), 0);
  result.elements = ranks.sum(static_cast<std::int64_t>(result.level.size()) - without);
  return result;
}

}  // namespace tetrawave
