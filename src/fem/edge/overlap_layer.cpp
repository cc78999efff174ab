#include "fem/edge/overlap_layer.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

namespace tetrawave::fem {

namespace {

/// Vertices of a face, ascending.
using FaceVertices = std::array<GlobalIndex, 3>;

FaceVertices vertices_of(const LocalMesh& mesh, const ElementFace& face) {
  FaceVertices vertices{};
  std::size_t next = 0;
  for (std::size_t v = 0; v < 4; ++v)
    if (v != face.second) vertices[next++] = mesh.vertices[static_cast<std::size_t>(face.first)][v];
  return vertices;
}

/// A vertex on a face between ranks, and one of these.
struct VertexRank {
  GlobalIndex vertex = 0;
  GlobalIndex rank = 0;
  [[nodiscard]] auto operator<=>(const VertexRank&) const = default;
};

/// The vertices between ranks with all ranks that have them, sorted.
std::vector<VertexRank> gather_vertices(const LocalMesh& mesh, const comm::Communicator& ranks) {
  std::vector<VertexRank> mine;
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& face : peer.faces)
      for (const GlobalIndex vertex : vertices_of(mesh, {face.element, face.face}))
        mine.push_back({vertex, ranks.rank()});
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  std::vector<VertexRank> all = ranks.all_gather(std::span<const VertexRank>(mine));
  std::sort(all.begin(), all.end());
  return all;
}

/// Takes those faces of layers off `ends` that a layer of another rank has from its side: they lie within the overlap.
void drop_inner_faces(const LocalMesh& mesh, std::vector<std::vector<ElementFace>>& doubtful,
                      std::vector<OverlapLayer>& layers, const comm::Communicator& ranks) {
  std::vector<std::vector<FaceVertices>> told(doubtful.size());
  for (std::size_t rank = 0; rank < told.size(); ++rank)
    for (const ElementFace& face : doubtful[rank]) told[rank].push_back(vertices_of(mesh, face));
  const auto heard = ranks.exchange(told);
  std::map<FaceVertices, int> sides;
  for (const auto& of_rank : heard)
    for (const FaceVertices& face : of_rank) ++sides[face];
  std::vector<std::vector<char>> answers;
  for (const auto& of_rank : heard) {
    auto& answer = answers.emplace_back();
    for (const FaceVertices& face : of_rank) answer.push_back(sides.at(face) == 1 ? 1 : 0);
  }
  answers = ranks.exchange(answers);
  for (std::size_t rank = 0; rank < doubtful.size(); ++rank)
    for (std::size_t k = 0; k < doubtful[rank].size(); ++k)
      if (answers[rank][k] != 0) layers[rank].ends.push_back(doubtful[rank][k]);
}

}  // namespace

std::vector<OverlapLayer> find_overlap_layers(const LocalMesh& mesh, const comm::Communicator& ranks) {
  const std::vector<VertexRank> vertices = gather_vertices(mesh, ranks);
  std::vector<OverlapLayer> layers(static_cast<std::size_t>(ranks.size()));
  std::vector<std::vector<bool>> is_in(layers.size(), std::vector<bool>(mesh.vertices.size(), false));
  for (std::size_t e = 0; e < mesh.vertices.size(); ++e)
    for (const GlobalIndex vertex : mesh.vertices[e])
      for (auto found = std::lower_bound(vertices.begin(), vertices.end(), VertexRank{vertex, 0});
           found != vertices.end() && found->vertex == vertex; ++found)
        if (found->rank != ranks.rank()) is_in[static_cast<std::size_t>(found->rank)][e] = true;
  std::map<ElementFace, std::size_t> rank_behind;
  for (const HaloPeer& peer : mesh.peers)
    for (const HaloFace& face : peer.faces)
      rank_behind[{face.element, face.face}] = static_cast<std::size_t>(peer.rank);
  std::vector<std::vector<ElementFace>> doubtful(layers.size());
  for (std::size_t rank = 0; rank < layers.size(); ++rank)
    for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
      if (!is_in[rank][static_cast<std::size_t>(e)]) continue;
      layers[rank].elements.push_back(e);
      for (std::uint8_t f = 0; f < 4; ++f) {
        const LocalIndex other = mesh.neighbour[static_cast<std::size_t>(e)][f];
        if (other >= 0 && !is_in[rank][static_cast<std::size_t>(other)]) layers[rank].ends.emplace_back(e, f);
        if (other == remote_neighbour && rank_behind.at({e, f}) != rank) doubtful[rank].emplace_back(e, f);
      }
    }
  drop_inner_faces(mesh, doubtful, layers, ranks);
  return layers;
}

}  // namespace tetrawave::fem
