// Elements of a mesh in physical space, straight or curved.
#pragma once

#include "basis/mapped_element.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

[[nodiscard]] inline basis::MappedElement map_element(Space space, const LocalMesh& mesh, LocalIndex element) {
  const auto e = static_cast<std::size_t>(element);
  return {space, mesh.corners[e], mesh.curved.of(e)};
}

/// The derivative [m] at the middle of edge ab of an element in the face abc, towards c: of a straight element, c less
/// that middle.
[[nodiscard]] inline Vec3 slope_from_edge(const LocalMesh& mesh, std::size_t element, std::size_t a, std::size_t b,
                                          std::size_t c) {
  const auto& x = mesh.corners[element];
  const auto bulge = [&](std::size_t i, std::size_t j) { return bulge_of(mesh, element, i, j); };
  return x[c] - 0.5 * (x[a] + x[b]) + 2.0 * (bulge(a, c) + bulge(b, c) - bulge(a, b));
}

}  // namespace tetrawave
