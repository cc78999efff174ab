// Elements of a mesh in physical space, straight or curved.
#pragma once

#include "basis/mapped_element.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

[[nodiscard]] inline basis::MappedElement map_element(Space space, const LocalMesh& mesh, LocalIndex element) {
  const auto e = static_cast<std::size_t>(element);
  return {space, mesh.corners[e], mesh.curved.of(e)};
}

}  // namespace tetrawave
