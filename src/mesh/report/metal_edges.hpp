// Resolution of edges of metal in a mesh: strips, solid edges and gaps, counted in elements.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// Faces of metal of one boundary tag, over the ranks, and edges of the mesh at which the metal ends or bends.
struct MetalFaces {
  double area_m2 = 0;
  double edge_m = 0;  ///< length of all edges
  std::int64_t edges = 0;

  /// The width of strips, twice their area over the length of their sides, in units of edges along them. 0 without
  /// edges.
  [[nodiscard]] double elements_across() const {
    return edges > 0 ? 2 * area_m2 * static_cast<double>(edges) / (edge_m * edge_m) : 0;
  }
};

/// Faces along edges of solid metal on sides that are one element high.
struct MetalSides {
  std::int64_t faces = 0;
  double height_m = 0;  ///< on average
  double edge_m = 0;    ///< of the edges along them, on average
};

/// Edges of the mesh that connect one edge of metal to another one through a medium: gaps of one element.
struct MetalGaps {
  std::int64_t bridges = 0;
  double gap_m = 0;   ///< the shortest from each vertex, on average
  double edge_m = 0;  ///< edges of metal at their ends, on average
};

/// Edges of the mesh that connect the edge of a sheet through a medium to metal of other boundary tags.
struct MetalClearance {
  std::int64_t vertices = 0;  ///< of the sheet's edge with such a connection
  std::int64_t of = 0;        ///< all vertices of the edge that are not on other metal
  double length_m = 0;        ///< the shortest from each vertex, on average

  /// Whether a single element lies between most of the edge and other metal.
  [[nodiscard]] bool is_one_element() const { return vertices > 0 && 2 * vertices >= of; }
};

struct MetalEdges {
  std::vector<MetalFaces> sheets;  ///< per boundary tag: faces between two elements, and edges with one of them
  std::vector<MetalFaces>
      solids;  ///< outer faces, and edges at which the medium between two of them fills 240 degrees or more
  std::vector<MetalSides> sides;           ///< for solids, per boundary tag
  std::vector<MetalClearance> clearances;  ///< for sheets, per boundary tag
  MetalGaps gaps;
};

/// `is_metal`: per boundary tag. Empty for meshes with more than three million faces of metal. Collective; the same on
/// all ranks.
[[nodiscard]] MetalEdges measure_metal_edges(const LocalMesh& mesh, const std::vector<bool>& is_metal, int threads,
                                             const comm::Communicator& ranks);

}  // namespace tetrawave
