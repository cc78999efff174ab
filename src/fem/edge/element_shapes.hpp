// Geometry of the elements of a finite-element problem.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "basis/mapped_element.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::fem {

/// Corners [m] per element, vertices ascending, and curved edges. Its sources must outlive it.
struct ElementShapes {
  std::span<const std::array<Vec3, 4>> corners;
  const CurvedElements* curved = nullptr;  ///< none: all edges are straight
  std::span<const std::int32_t> copies;    ///< per element, or none: those with the same number are copies

  // NOLINTBEGIN(google-explicit-constructor): these are shapes
  ElementShapes(const std::vector<std::array<Vec3, 4>>& straight) : corners(straight) {}
  ElementShapes(const LocalMesh& mesh) : corners(mesh.corners), curved(&mesh.curved), copies(mesh.shape) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const basis::Middles* middles(std::size_t element) const {
    return curved == nullptr ? nullptr : curved->of(element);
  }
  [[nodiscard]] basis::MappedElement map(Space space, std::size_t element) const {
    return {space, corners[element], middles(element)};
  }
};

}  // namespace tetrawave::fem
