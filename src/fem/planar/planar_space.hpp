// Unknowns of nodal and edge functions on a mesh of triangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fem/planar/planar_element.hpp"

namespace tetrawave::fem {

/// An edge of an element, 0, 1 or 2.
struct PlanarEdge {
  std::int32_t element = 0;
  std::int32_t edge = 0;
};

/// Edges of the mesh, each once, and functions that neighbours share.
struct PlanarSpace {
  PlanarKind kind = PlanarKind::nodal;
  int order = 1;
  std::size_t functions = 3;              ///< per element
  std::vector<std::int32_t> edge_of;      ///< [elements][3], number of the edge
  std::vector<PlanarEdge> first, second;  ///< per edge: its one or two elements; second.element is -1 outside
  std::vector<std::int32_t> shared;       ///< [elements][functions], number of the function in the mesh
  std::vector<std::int32_t> unknown;      ///< of every function in the mesh; fixed where it is 0
  std::int32_t unknowns = 0;

  static constexpr std::int32_t fixed = -1;
  [[nodiscard]] std::span<const std::int32_t> shared_of(std::size_t element) const {
    return {shared.data() + functions * element, functions};
  }
  /// Functions of an element that do not vanish on one of its edges, by their place in the element.
  [[nodiscard]] std::vector<std::size_t> on_edge(std::size_t edge) const;
  /// Fixes all functions on these edges and numbers the others.
  void number(std::span<const std::int32_t> fixed_edges);
};

/// The mesh must be of the functions' order if they are nodal. Nothing is fixed yet.
[[nodiscard]] PlanarSpace make_planar_space(const TriangleMesh& mesh, PlanarKind kind, int order);

}  // namespace tetrawave::fem
