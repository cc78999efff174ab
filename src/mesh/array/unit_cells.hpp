// The nine unit cells of a finite array: the antenna cell in the middle, four edges and four corners around it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// A node in an element of a cell. Nodes on opposite cut planes are identified up to a translation: `folded` is the
/// number on the lower plane.
struct CellNode {
  std::int32_t folded = 0;
  std::array<std::int8_t, 2> back{};  ///< along x and y: 1 if the previous cell owns it
};

/// One cell. A node on a cut plane belongs to the previous cell (the western, the southern one).
struct UnitCell {
  std::vector<std::int32_t> own;    ///< the nodes of the mesh of cells that belong to it, ascending
  std::vector<std::int32_t> place;  ///< per folded node: its index in `own`, or -1
  std::vector<std::array<CellNode, 4>> elements;
  std::vector<std::int32_t> region;
  std::vector<std::array<CellNode, 3>> faces;  ///< named ones
  std::vector<std::int32_t> face_group;
};

/// A mesh of 3 x 3 cells, cut by two planes across x and two across y; cells are counted [column][row] from the corner
/// of lowest x and y.
struct UnitCells {
  /// Prefix of the physical volumes of the antenna cell; their bounding box gives the cut planes.
  static constexpr std::string_view prefix = "cell.";

  MeshSlab mesh;                           ///< the whole mesh, names without the prefix; partners are exact translates
  std::array<double, 2> low_m{};           ///< lower cut planes, across x and y
  std::array<double, 2> high_m{};          ///< upper ones
  std::vector<std::uint8_t> element_cell;  ///< per element of `mesh`: 3 column + row
  std::vector<std::uint8_t> face_cell;     ///< per named face
  std::array<std::array<UnitCell, 3>, 3> cells;

  [[nodiscard]] double pitch_m(std::size_t axis) const { return high_m[axis] - low_m[axis]; }
};

/// Finds the cells of a whole mesh (slab 0 of 1) and checks that they can be repeated.
///
/// Throws UserError (bad_mesh) with the problem and its place: no volume of the antenna cell, an element across a cut
/// plane or of the antenna cell without the prefix, one of the nine cells missing, opposite cut planes that do not
/// match by translation (within 1e-6 of the larger pitch), named faces in one cut plane only or with nodes that no
/// element of their cell has.
[[nodiscard]] UnitCells make_unit_cells(MeshSlab mesh);

/// Which cells have faces of a group: bit 3 column + row.
[[nodiscard]] unsigned cells_of_group(const UnitCells& cells, std::int32_t group);

}  // namespace tetrawave
