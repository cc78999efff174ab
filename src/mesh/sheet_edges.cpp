#include "mesh/sheet_edges.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <span>

#include "base/parallel.hpp"
#include "base/vertex_marks.hpp"
#include "mesh/hash.hpp"

namespace tetrawave {

namespace {

/// An edge of a face, with the third vertex of the face, or -1 for an outer face.
struct PostedEdge {
  GlobalIndex low = 0;
  GlobalIndex high = 0;
  GlobalIndex third = 0;
  [[nodiscard]] auto operator<=>(const PostedEdge&) const = default;
};

using Triangle = std::array<GlobalIndex, 3>;

Triangle vertices_of(const LocalMesh& mesh, std::size_t element, std::size_t face) {
  Triangle vertices{};
  for (std::size_t v = 0, k = 0; v < 4; ++v)
    if (v != face) vertices[k++] = mesh.vertices[element][v];
  return vertices;
}

/// Faces of sheets on this rank, once each; those at its border are also on another rank.
std::vector<Triangle> find_sheets(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads) {
  auto sheets = collect<Triangle>(mesh.vertices.size(), threads, [&](std::size_t e, std::vector<Triangle>& list) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag >= 0 && is_metal[static_cast<std::size_t>(tag)] && mesh.neighbour[e][f] != no_neighbour)
        list.push_back(vertices_of(mesh, e, f));
    }
  });
  sort_once(sheets, threads);
  return sheets;
}

/// All that have been gathered from the ranks, ascending.
std::vector<GlobalIndex> gather_once(std::vector<GlobalIndex> mine, int threads, const comm::Communicator& ranks) {
  sort_once(mine, threads);
  std::vector<GlobalIndex> all = ranks.all_gather(std::span<const GlobalIndex>(mine));
  sort_once(all, threads);
  return all;
}

/// The vertices on edges of sheets, ascending, on every rank.
std::vector<GlobalIndex> find_vertices(const LocalMesh& mesh, const std::vector<Triangle>& sheets, int threads,
                                       const comm::Communicator& ranks) {
  const auto add = [](const Triangle& v, bool outer, std::vector<PostedEdge>& list) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(v[(k + 1) % 3], v[(k + 2) % 3]);
      list.push_back({low, high, outer ? -1 : v[k]});
    }
  };
  const auto of_sheets = collect<PostedEdge>(
      sheets.size(), threads, [&](std::size_t s, std::vector<PostedEdge>& list) { add(sheets[s], false, list); });
  const auto of_outer = collect<PostedEdge>(mesh.vertices.size(), threads, [&](std::size_t e, auto& list) {
    for (std::size_t f = 0; f < 4; ++f)
      if (mesh.neighbour[e][f] == no_neighbour) add(vertices_of(mesh, e, f), true, list);
  });
  std::vector<std::vector<PostedEdge>> posted(static_cast<std::size_t>(ranks.size()));
  for (const auto* list : {&of_sheets, &of_outer})
    for (const PostedEdge& edge : *list)
      posted[hash_words(edge.low, edge.high) % static_cast<std::uint64_t>(ranks.size())].push_back(edge);
  std::vector<PostedEdge> edges;
  for (const auto& list : ranks.exchange(std::move(posted))) edges.insert(edges.end(), list.begin(), list.end());
  sort_once(edges, threads);
  std::vector<GlobalIndex> mine;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto end = std::find_if(
        edge, edges.end(), [&](const PostedEdge& other) { return other.low != edge->low || other.high != edge->high; });
    if (end - edge == 1 && edge->third >= 0) mine.insert(mine.end(), {edge->low, edge->high});
    edge = end;
  }
  return gather_once(std::move(mine), threads, ranks);
}

}  // namespace

SheetEdges find_sheet_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                            const comm::Communicator& ranks) {
  const std::vector<Triangle> sheets = find_sheets(mesh, is_metal, threads);
  SheetEdges result;
  if (ranks.max(static_cast<std::int64_t>(sheets.size())) == 0) return result;
  result.vertices = find_vertices(mesh, sheets, threads, ranks);
  if (result.vertices.empty()) return result;
  const VertexMarks at_edges(result.vertices);
  const auto is_on_edge = [&](GlobalIndex v) { return at_edges.has(v); };
  const std::size_t count = mesh.vertices.size();
  result.is_near.resize(count);
  for_each_index(count, threads, [&](std::size_t e) {
    const auto& corners = mesh.vertices[e];
    result.is_near[e] = std::any_of(corners.begin(), corners.end(), is_on_edge) ? 1 : 0;
  });
  result.elements = ranks.sum(std::int64_t{std::count(result.is_near.begin(), result.is_near.end(), 1)});
  const auto ends = collect<std::int32_t>(count, threads, [&](std::size_t e, std::vector<std::int32_t>& tags) {
    for (std::size_t f = 0; f < 4 && result.is_near[e] != 0; ++f) {
      if (mesh.boundary[e][f] < 0 || mesh.neighbour[e][f] != no_neighbour) continue;
      const Triangle triangle = vertices_of(mesh, e, f);
      if (std::any_of(triangle.begin(), triangle.end(), is_on_edge)) tags.push_back(mesh.boundary[e][f]);
    }
  });
  std::vector<std::int64_t> has_ends(is_metal.size(), 0);
  for (const std::int32_t tag : ends) has_ends[static_cast<std::size_t>(tag)] = 1;
  for (const std::int64_t end : has_ends) result.ends_on.push_back(ranks.max(end) > 0);
  return result;
}

std::vector<std::uint8_t> find_faces_around(const LocalMesh& mesh, const std::vector<std::uint8_t>& chosen, int layers,
                                            int threads, const comm::Communicator& ranks) {
  VertexMarks corners;  // of those inside on all ranks
  const auto is_corner = [&](GlobalIndex v) { return corners.has(v); };
  const std::size_t count = mesh.vertices.size();
  for (int layer = 0; layer < layers; ++layer) {
    auto mine = collect<GlobalIndex>(count, threads, [&](std::size_t e, std::vector<GlobalIndex>& list) {
      const auto& own = mesh.vertices[e];
      if (chosen[e] != 0 || std::any_of(own.begin(), own.end(), is_corner))
        list.insert(list.end(), own.begin(), own.end());
    });
    corners = VertexMarks(gather_once(std::move(mine), threads, ranks));
  }
  std::vector<std::uint8_t> faces(count, 0);
  for_each_index(count, threads, [&](std::size_t e) {
    for (std::size_t f = 0; f < 4; ++f) {
      const Triangle triangle = vertices_of(mesh, e, f);
      if (std::any_of(triangle.begin(), triangle.end(), is_corner)) faces[e] |= static_cast<std::uint8_t>(1U << f);
    }
  });
  return faces;
}

}  // namespace tetrawave
