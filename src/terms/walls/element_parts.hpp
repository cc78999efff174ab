// What finite elements of the frequency domain and of implicit marches list of a mesh: faces with terms, kinds of
// elements.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/edge/edge_space.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::modes {

struct ElementWalls {
  std::vector<fem::ElementFace> metal;  ///< outer and inner faces of electric walls, as elements see them
  std::vector<fem::ElementFace> walls;  ///< open, resistive or conducting faces, sheets from one of their sides
  std::vector<std::int32_t> tags;       ///< their boundary tags
};
/// Walls of the elements of rank `rank`; a sheet between two ranks belongs to the lower one.
[[nodiscard]] ElementWalls list_element_walls(const march::Problem& problem, int rank);

/// Elements of one medium are of one kind; each of an absorbing layer, which has a stretch of its own, is one.
struct ElementKinds {
  std::vector<std::int32_t> of_element;
  std::vector<LocalIndex> first;  ///< per kind, an element of it
};
[[nodiscard]] ElementKinds list_element_kinds(const march::Problem& problem);

}  // namespace tetrawave::modes
