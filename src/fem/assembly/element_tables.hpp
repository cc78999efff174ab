// What element matrices are made from, in the order in which kernels read it (fem/assembly/element_view.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fem/edge/edge_space.hpp"
#include "fem/edge/element_shapes.hpp"

namespace tetrawave::fem::device {

/// Constants of a space.
struct ElementTables {
  explicit ElementTables(Space space);

  std::vector<double> straight;        ///< [i][metric number][j]
  std::vector<std::int32_t> on_face;   ///< [face][i]: the number of a function on a face, or -1
  std::int32_t face_functions = 0;     ///< of a face
  std::vector<std::int32_t> vertices;  ///< of a function, a bit for each
};

/// The rule of curved elements, of degree 2 k + 2.
struct CurvedTables {
  explicit CurvedTables(Space space);

  std::vector<double> weights;    ///< [point]
  std::vector<double> slopes;     ///< [point][3][6]: of tangents with the bulges of edges
  std::vector<double> functions;  ///< [point][function][6]: curls along t_c/det J, covariant components
};

struct CurvedLists {
  explicit CurvedLists(const ElementShapes& shapes);

  std::vector<std::int32_t> number;   ///< per element, or -1; empty if all are straight
  std::vector<std::int32_t> element;  ///< per curved element
  std::vector<double> bulges;         ///< [curved][6][3] [m]
};

struct WallLists {
  WallLists(const EdgeSpace& space, const ElementShapes& shapes, std::span<const ElementFace> walls, int threads);

  std::vector<std::int32_t> first;   ///< per element, into `number`, and the end
  std::vector<std::int32_t> number;  ///< of walls
  std::vector<std::int32_t> face;    ///< per wall
  std::vector<double> entries;       ///< [wall][function of the face][function of the face] [1]
};

/// Elements that share a matrix: copies without walls. Empty where each has its own.
struct MatrixLists {
  MatrixLists(const ElementShapes& shapes, const WallLists& walls);

  std::vector<std::int32_t> number;   ///< per element
  std::vector<std::int32_t> element;  ///< per matrix: the first one that has it
};

}  // namespace tetrawave::fem::device
