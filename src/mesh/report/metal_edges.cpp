#include "mesh/report/metal_edges.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <tuple>

#include "base/parallel.hpp"
#include "base/vertex_marks.hpp"
#include "mesh/hash.hpp"
#include "mesh/map_element.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

namespace {

enum class Kind : std::int32_t { sheet, outer_metal, other };

/// A face of metal or an outer one, vertices ascending.
struct Face {
  std::array<GlobalIndex, 3> vertices{};
  std::array<Vec3, 3> corners{};
  /// At the middles of the edges opposite to the vertices: from its element, and from the edge into the face; unit
  /// vectors.
  std::array<Vec3, 3> outward{}, inward{};
  std::int32_t tag = -1;
  Kind kind = Kind::other;
};

/// An edge of a face, sent to the rank that evaluates the edge.
struct MetalEdgeEntry {
  GlobalIndex low = 0, high = 0, third = 0;
  Vec3 outward{}, inward{};  ///< of the face
  double length_m = 0;
  std::int32_t tag = -1;
  Kind kind = Kind::other;
  [[nodiscard]] auto key() const { return std::tie(low, high, third); }
};

/// An edge of the mesh at which metal ends or bends.
struct Segment {
  GlobalIndex low = 0, high = 0;
  double length_m = 0;
  std::int32_t tag = -1;
  std::int32_t is_solid = 0;
};

struct VertexPair {
  GlobalIndex low = 0, high = 0;
  double length_m = 0;
  [[nodiscard]] auto key() const { return std::tie(low, high); }
};

template <class T>
void sort_by_key(std::vector<T>& list, int threads) {
  sort_once(list, threads, [](const T& a, const T& b) { return a.key() < b.key(); });
}

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

std::int64_t count_metal(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads) {
  std::vector<std::int64_t> counts(count_ranges(mesh.boundary.size(), threads), 0);
  for_ranges(mesh.boundary.size(), counts.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    std::int64_t mine = 0;
    for (std::size_t e = first; e < last; ++e)
      for (const std::int32_t tag : mesh.boundary[e])
        mine += tag >= 0 && is_metal[static_cast<std::size_t>(tag)] ? 1 : 0;
    counts[range] = mine;
  });
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::vector<Face> list_faces(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads) {
  return collect<Face>(mesh.vertices.size(), threads, [&](std::size_t e, std::vector<Face>& faces) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = mesh.boundary[e][f];
      const bool metal = tag >= 0 && is_metal[static_cast<std::size_t>(tag)];
      const bool outer = mesh.neighbour[e][f] == no_neighbour;
      if (!metal && !outer) continue;
      Face face;
      const auto& at = face_corners[f];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t a = at[k == 0 ? 1 : 0], b = at[k == 2 ? 1 : 2];
        const Vec3 low = mesh.corners[e][a], slope = slope_from_edge(mesh, e, a, b, at[k]);
        const Vec3 normal = unit(cross(mesh.corners[e][b] - low, slope));
        face.vertices[k] = mesh.vertices[e][at[k]];
        face.corners[k] = mesh.corners[e][at[k]];
        face.outward[k] = dot(normal, mesh.corners[e][f] - low) > 0 ? -1.0 * normal : normal;
        face.inward[k] = unit(slope);
      }
      face.tag = tag;
      face.kind = !metal ? Kind::other : outer ? Kind::outer_metal : Kind::sheet;
      faces.push_back(face);
    }
  });
}

/// The edges of this rank's share, by ascending vertices, with every face once.
std::vector<MetalEdgeEntry> exchange_edges(const std::vector<Face>& faces, int threads,
                                           const comm::Communicator& ranks) {
  std::vector<std::vector<MetalEdgeEntry>> posted(static_cast<std::size_t>(ranks.size()));
  for (const Face& face : faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t a = k == 0 ? 1 : 0, b = k == 2 ? 1 : 2;
      const double length_m = norm(face.corners[b] - face.corners[a]);
      const MetalEdgeEntry edge{face.vertices[a], face.vertices[b], face.vertices[k], face.outward[k],
                                face.inward[k],   length_m,         face.tag,         face.kind};
      const std::uint64_t owner = hash_words(edge.low, edge.high) % static_cast<std::uint64_t>(ranks.size());
      posted[static_cast<std::size_t>(owner)].push_back(edge);
    }
  std::vector<MetalEdgeEntry> edges;
  for (const auto& list : ranks.exchange(std::move(posted))) edges.insert(edges.end(), list.begin(), list.end());
  sort_by_key(edges, threads);
  return edges;
}

/// Whether the medium between two outer faces fills 240 degrees or more.
bool is_salient(const MetalEdgeEntry& a, const MetalEdgeEntry& b) {
  constexpr double cosine = 0.5;  // of the turn from one face to the other
  return a.kind == Kind::outer_metal && b.kind == Kind::outer_metal && dot(a.outward, b.outward) <= cosine + 1e-9 &&
         dot(a.outward, b.inward) > 1e-6;
}

std::vector<Segment> find_segments(const std::vector<Face>& faces, int threads, const comm::Communicator& ranks) {
  const std::vector<MetalEdgeEntry> edges = exchange_edges(faces, threads, ranks);
  std::vector<Segment> mine;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const auto end = std::find_if(edge, edges.end(), [&](const MetalEdgeEntry& other) {
      return other.low != edge->low || other.high != edge->high;
    });
    const bool ends = end - edge == 1 && edge->kind == Kind::sheet;
    if (ends || (end - edge == 2 && is_salient(edge[0], edge[1])))
      mine.push_back({edge->low, edge->high, edge->length_m, edge->tag, ends ? 0 : 1});
    edge = end;
  }
  std::vector<Segment> all = ranks.all_gather(std::span<const Segment>(mine));
  std::sort(all.begin(), all.end(),
            [](const Segment& a, const Segment& b) { return std::tie(a.low, a.high) < std::tie(b.low, b.high); });
  return all;
}

/// The segments as a graph.
class Rims {
 public:
  explicit Rims(const std::vector<Segment>& segments) {
    for (const Segment& s : segments) {
      at_[s.low].push_back({s.low, s.high, s.length_m});
      at_[s.high].push_back({s.low, s.high, s.length_m});
    }
    marks_ = VertexMarks(std::views::keys(at_));
  }
  [[nodiscard]] bool has(GlobalIndex v) const { return marks_.has(v); }
  [[nodiscard]] const std::vector<VertexPair>& of(GlobalIndex v) const { return at_.at(v); }
  [[nodiscard]] const VertexPair* find(GlobalIndex a, GlobalIndex b) const {
    const auto found = at_.find(a);
    if (found == at_.end()) return nullptr;
    for (const VertexPair& pair : found->second)
      if (pair.low == b || pair.high == b) return &pair;
    return nullptr;
  }
  /// Both at one vertex, as across a corner.
  [[nodiscard]] bool are_near(GlobalIndex a, GlobalIndex b) const {
    return std::any_of(of(a).begin(), of(a).end(), [&](const VertexPair& pair) {
      return find(pair.low == a ? pair.high : pair.low, b) != nullptr;
    });
  }

 private:
  std::map<GlobalIndex, std::vector<VertexPair>> at_;
  VertexMarks marks_;
};

template <class T>
std::vector<T> gather(std::vector<T> mine, int threads, const comm::Communicator& ranks) {
  sort_by_key(mine, threads);
  std::vector<T> all = ranks.all_gather(std::span<const T>(mine));
  sort_by_key(all, threads);
  return all;
}

MetalGaps measure_gaps(const LocalMesh& mesh, const std::vector<Face>& faces, const Rims& rims, int threads,
                       const comm::Communicator& ranks) {
  std::vector<VertexPair> on_metal;  // from rim to rim
  for (const Face& face : faces)
    for (std::size_t k = 0; k < 3 && face.kind != Kind::other; ++k) {
      const GlobalIndex a = face.vertices[k == 0 ? 1 : 0], b = face.vertices[k == 2 ? 1 : 2];
      if (rims.has(a) && rims.has(b)) on_metal.push_back({a, b, 0});
    }
  on_metal = gather(std::move(on_metal), threads, ranks);
  auto bridges = collect<VertexPair>(mesh.vertices.size(), threads, [&](std::size_t e, std::vector<VertexPair>& list) {
    std::array<bool, 4> has{};
    for (std::size_t v = 0; v < 4; ++v) has[v] = rims.has(mesh.vertices[e][v]);
    for (const auto& [a, b] : edge_corners) {
      if (!has[a] || !has[b]) continue;
      const VertexPair pair{mesh.vertices[e][a], mesh.vertices[e][b], norm(mesh.corners[e][b] - mesh.corners[e][a])};
      if (rims.are_near(pair.low, pair.high)) continue;
      if (!std::binary_search(on_metal.begin(), on_metal.end(), pair,
                              [](const VertexPair& x, const VertexPair& y) { return x.key() < y.key(); }))
        list.push_back(pair);
    }
  });
  bridges = gather(std::move(bridges), threads, ranks);
  std::map<GlobalIndex, double> shortest;
  for (const VertexPair& pair : bridges)
    for (const GlobalIndex v : {pair.low, pair.high}) {
      const auto [found, is_new] = shortest.try_emplace(v, pair.length_m);
      if (!is_new) found->second = std::min(found->second, pair.length_m);
    }
  MetalGaps gaps;
  gaps.bridges = static_cast<std::int64_t>(bridges.size());
  std::size_t segments = 0;
  for (const auto& [v, length] : shortest) {
    gaps.gap_m += length / static_cast<double>(shortest.size());
    for (const VertexPair& segment : rims.of(v)) gaps.edge_m += segment.length_m;
    segments += rims.of(v).size();
  }
  if (segments > 0) gaps.edge_m /= static_cast<double>(segments);
  return gaps;
}

/// A vertex on metal of a boundary tag.
struct MetalVertex {
  GlobalIndex vertex = 0;
  std::int64_t tag = 0;
  [[nodiscard]] auto key() const { return std::tie(vertex, tag); }
};

std::vector<MetalVertex> list_metal(const std::vector<Face>& faces, int threads, const comm::Communicator& ranks) {
  std::vector<MetalVertex> mine;
  for (const Face& face : faces)
    for (const GlobalIndex v : face.vertices)
      if (face.kind != Kind::other) mine.push_back({v, face.tag});
  return gather(std::move(mine), threads, ranks);
}

std::vector<MetalClearance> measure_clearances(const LocalMesh& mesh, const std::vector<Face>& faces,
                                               const std::vector<Segment>& segments, std::size_t tags, int threads,
                                               const comm::Communicator& ranks) {
  std::vector<MetalClearance> clearances(tags);
  if (std::all_of(segments.begin(), segments.end(), [](const Segment& s) { return s.is_solid != 0; }))
    return clearances;
  const std::vector<MetalVertex> metal = list_metal(faces, threads, ranks);
  const auto first = [&](GlobalIndex v) {
    return std::lower_bound(metal.begin(), metal.end(), MetalVertex{v, 0},
                            [](const MetalVertex& a, const MetalVertex& b) { return a.key() < b.key(); });
  };
  /// Of a vertex with one tag alone; -1: none or several.
  const auto only_tag = [&](GlobalIndex v) {
    const auto at = first(v);
    const bool one = at != metal.end() && at->vertex == v && (at + 1 == metal.end() || (at + 1)->vertex != v);
    return one ? at->tag : -1;
  };
  std::map<GlobalIndex, std::int64_t> tag_of_rim;  // of sheets
  for (const Segment& segment : segments)
    for (const GlobalIndex v : {segment.low, segment.high})
      if (segment.is_solid == 0 && only_tag(v) == segment.tag) tag_of_rim[v] = segment.tag;
  const VertexMarks at_rim(std::views::keys(tag_of_rim));
  auto connections = collect<VertexPair>(mesh.vertices.size(), threads, [&](std::size_t e, auto& list) {
    for (std::size_t a = 0; a < 4; ++a) {
      const GlobalIndex v = mesh.vertices[e][a];
      if (!at_rim.has(v)) continue;
      const auto rim = tag_of_rim.find(v);
      for (std::size_t b = 0; b < 4; ++b) {
        const GlobalIndex to = mesh.vertices[e][b];
        const std::int64_t other = only_tag(to);
        if (other >= 0 && other != rim->second) list.push_back({v, to, norm(mesh.corners[e][b] - mesh.corners[e][a])});
      }
    }
  });
  connections = gather(std::move(connections), threads, ranks);
  std::map<GlobalIndex, double> shortest;
  for (const VertexPair& pair : connections) {
    const auto [found, is_new] = shortest.try_emplace(pair.low, pair.length_m);
    if (!is_new) found->second = std::min(found->second, pair.length_m);
  }
  for (const auto& [v, tag] : tag_of_rim) ++clearances[static_cast<std::size_t>(tag)].of;
  for (const auto& [v, length] : shortest) {
    MetalClearance& clearance = clearances[static_cast<std::size_t>(tag_of_rim.at(v))];
    ++clearance.vertices;
    clearance.length_m += length;
  }
  for (MetalClearance& clearance : clearances)
    if (clearance.vertices > 0) clearance.length_m /= static_cast<double>(clearance.vertices);
  return clearances;
}

/// Among the faces of solid metal with one side on a rim: those whose third corner is also on one, and flat ones, which
/// meet in the middle of a low side.
std::vector<MetalSides> measure_sides(const std::vector<Face>& faces, const Rims& rims, std::size_t tags,
                                      const comm::Communicator& ranks) {
  constexpr double flat = 0.5;  // height over side; of a regular one 0.87
  std::vector<MetalSides> sides(tags);
  for (const Face& face : faces) {
    if (face.kind != Kind::outer_metal) continue;
    std::vector<std::size_t> on_rim;  // corners opposite to sides
    for (std::size_t k = 0; k < 3; ++k)
      if (rims.find(face.vertices[k == 0 ? 1 : 0], face.vertices[k == 2 ? 1 : 2]) != nullptr) on_rim.push_back(k);
    if (on_rim.size() != 1) continue;  // two at ends of a strip
    const std::size_t third = on_rim.front();
    const auto& x = face.corners;
    const double edge = norm(x[third == 0 ? 1 : 0] - x[third == 2 ? 1 : 2]);
    const double height = norm(cross(x[1] - x[0], x[2] - x[0])) / edge;
    const bool reaches_rim = rims.has(face.vertices[third]);
    if (!reaches_rim && height > flat * edge) continue;
    MetalSides& side = sides[static_cast<std::size_t>(face.tag)];
    ++side.faces;
    side.height_m += reaches_rim ? height : 2 * height;
    side.edge_m += edge;
  }
  for (MetalSides& side : sides) {
    side.faces = ranks.sum(side.faces);
    const auto count = static_cast<double>(std::max<std::int64_t>(side.faces, 1));
    side.height_m = ranks.sum(side.height_m) / count;
    side.edge_m = ranks.sum(side.edge_m) / count;
  }
  return sides;
}

}  // namespace

MetalEdges measure_metal_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                               const comm::Communicator& ranks) {
  constexpr std::int64_t most_faces = 3'000'000;
  const std::size_t tags = is_metal.size();
  MetalEdges result{std::vector<MetalFaces>(tags),
                    std::vector<MetalFaces>(tags),
                    std::vector<MetalSides>(tags),
                    std::vector<MetalClearance>(tags),
                    {}};
  const std::int64_t metal = ranks.sum(count_metal(mesh, is_metal, threads));
  if (metal == 0 || metal > most_faces) return {};
  const std::vector<Face> faces = list_faces(mesh, is_metal, threads);
  for (const Face& face : faces) {
    if (face.kind == Kind::other) continue;
    const auto& x = face.corners;
    const double area = norm(cross(x[1] - x[0], x[2] - x[0])) / 2;
    if (face.kind == Kind::sheet)
      result.sheets[static_cast<std::size_t>(face.tag)].area_m2 += area / 2;  // is seen from both sides
    else
      result.solids[static_cast<std::size_t>(face.tag)].area_m2 += area;
  }
  for (std::size_t tag = 0; tag < tags; ++tag) {
    result.sheets[tag].area_m2 = ranks.sum(result.sheets[tag].area_m2);
    result.solids[tag].area_m2 = ranks.sum(result.solids[tag].area_m2);
  }
  const std::vector<Segment> segments = find_segments(faces, threads, ranks);
  for (const Segment& segment : segments) {
    MetalFaces& of = (segment.is_solid != 0 ? result.solids : result.sheets)[static_cast<std::size_t>(segment.tag)];
    ++of.edges;
    of.edge_m += segment.length_m;
  }
  if (segments.empty()) return result;
  const Rims rims(segments);
  result.sides = measure_sides(faces, rims, tags, ranks);
  result.gaps = measure_gaps(mesh, faces, rims, threads, ranks);
  result.clearances = measure_clearances(mesh, faces, segments, tags, threads, ranks);
  return result;
}

}  // namespace tetrawave
