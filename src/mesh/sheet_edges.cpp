#include "mesh/sheet_edges.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <set>
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

/// Faces of sheets on this rank; those at its border are also on another rank.
std::set<Triangle> find_sheets(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads) {
  const auto faces = collect<Triangle>(mesh.vertices.size(), threads, [&](std::size_t e, auto& list) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      if (tag >= 0 && is_metal[static_cast<std::size_t>(tag)] && mesh.neighbour[e][f] != no_neighbour)
        list.push_back(vertices_of(mesh, e, f));
    }
  });
  return {faces.begin(), faces.end()};
}

/// The vertices on edges of sheets, ascending, on every rank.
std::vector<GlobalIndex> find_vertices(const LocalMesh& mesh, const std::set<Triangle>& sheets,
                                       const comm::Communicator& ranks) {
  std::vector<std::vector<PostedEdge>> posted(static_cast<std::size_t>(ranks.size()));
  const auto post = [&](const Triangle& v, bool outer) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(v[(k + 1) % 3], v[(k + 2) % 3]);
      const std::uint64_t owner = hash_words(low, high) % static_cast<std::uint64_t>(ranks.size());
      posted[static_cast<std::size_t>(owner)].push_back({low, high, outer ? -1 : v[k]});
    }
  };
  for (const Triangle& sheet : sheets) post(sheet, false);
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f)
      if (mesh.neighbour[e][f] == no_neighbour) post(vertices_of(mesh, e, f), true);
  std::vector<PostedEdge> edges;
  for (const auto& list : ranks.exchange(std::move(posted))) edges.insert(edges.end(), list.begin(), list.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<GlobalIndex> mine;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto end = std::find_if(
        edge, edges.end(), [&](const PostedEdge& other) { return other.low != edge->low || other.high != edge->high; });
    if (end - edge == 1 && edge->third >= 0) mine.insert(mine.end(), {edge->low, edge->high});
    edge = end;
  }
  std::vector<GlobalIndex> all = ranks.all_gather(std::span<const GlobalIndex>(mine));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

SheetEdges find_sheet_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, const comm::Communicator& ranks,
                            int threads) {
  const std::set<Triangle> sheets = find_sheets(mesh, is_metal, threads);
  SheetEdges result;
  if (ranks.max(static_cast<std::int64_t>(sheets.size())) == 0) return result;
  result.vertices = find_vertices(mesh, sheets, ranks);
  if (result.vertices.empty()) return result;
  const VertexMarks at_edges(result.vertices);
  const auto is_on_edge = [&](GlobalIndex v) { return at_edges.has(v); };
  for (const auto& corners : mesh.vertices) {
    const bool near = std::any_of(corners.begin(), corners.end(), is_on_edge);
    result.is_near.push_back(near ? 1 : 0);
    result.elements += near ? 1 : 0;
  }
  result.elements = ranks.sum(result.elements);
  std::vector<std::int64_t> ends(is_metal.size(), 0);
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      if (mesh.boundary[e][f] < 0 || mesh.neighbour[e][f] != no_neighbour || result.is_near[e] == 0) continue;
      const Triangle triangle = vertices_of(mesh, e, f);
      if (std::any_of(triangle.begin(), triangle.end(), is_on_edge))
        ends[static_cast<std::size_t>(mesh.boundary[e][f])] = 1;
    }
  for (const std::int64_t end : ends) result.ends_on.push_back(ranks.max(end) > 0);
  return result;
}

std::vector<std::uint8_t> find_faces_around(const LocalMesh& mesh, const std::vector<std::uint8_t>& chosen, int layers,
                                            const comm::Communicator& ranks) {
  std::vector<std::uint8_t> inside = chosen;
  std::vector<GlobalIndex> corners;  // of those inside on all ranks, ascending
  const auto is_corner = [&](GlobalIndex v) { return std::binary_search(corners.begin(), corners.end(), v); };
  for (int layer = 0; layer < layers; ++layer) {
    std::vector<GlobalIndex> mine;
    for (std::size_t e = 0; e < mesh.vertices.size(); ++e) {
      const auto& own = mesh.vertices[e];
      if (inside[e] != 0 || std::any_of(own.begin(), own.end(), is_corner))
        mine.insert(mine.end(), own.begin(), own.end());
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    corners = ranks.all_gather(std::span<const GlobalIndex>(mine));
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  }
  std::vector<std::uint8_t> faces(mesh.vertices.size(), 0);
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const Triangle triangle = vertices_of(mesh, e, f);
      if (std::any_of(triangle.begin(), triangle.end(), is_corner)) faces[e] |= static_cast<std::uint8_t>(1U << f);
    }
  return faces;
}

}  // namespace tetrawave
