// Lists for finite elements in the frequency domain and in fetd: faces with terms, kinds of elements.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/edge/edge_space.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::modes {

struct ElementWalls {
  std::vector<fem::ElementFace> metal;  ///< outer and inner faces of electric walls, listed by element
  std::vector<fem::ElementFace> walls;  ///< open, resistive or conducting faces, sheets from one side
  std::vector<std::int32_t> tags;       ///< their boundary tags
};
/// Walls of the elements of rank `rank`; a sheet between two ranks belongs to the lower one.
[[nodiscard]] ElementWalls list_element_walls(const march::Problem& problem, int rank);

/// Elements of one medium are of one kind; every element of an absorbing layer, with its own stretch, is a kind of its
/// own.
struct ElementKinds {
  std::vector<std::int32_t> of_element;
  std::vector<LocalIndex> first;  ///< per kind, one of its elements
};
[[nodiscard]] ElementKinds list_element_kinds(const march::Problem& problem);

}  // namespace tetrawave::modes
