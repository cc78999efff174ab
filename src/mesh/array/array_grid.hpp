// Numbering of the cells of a finite array and of their contents: nodes, elements and named faces have analytic
// numbers.
#pragma once

#include <array>

#include "base/types.hpp"
#include "mesh/array/unit_cells.hpp"

namespace tetrawave {

/// nx + 2 columns along x and ny + 2 rows along y, antenna cells within a rim of edge and corner cells. Cells are
/// numbered column by column, from the corner of lowest x and y.
struct ArrayGrid {
  std::array<std::int64_t, 2> size{};  ///< antenna cells along x and y
  std::array<double, 2> pitch_m{};     ///< between them

  struct Cell {
    std::int64_t column = 0;
    std::int64_t row = 0;
  };

  [[nodiscard]] std::int64_t cell_count() const { return (size[0] + 2) * (size[1] + 2); }
  [[nodiscard]] Cell cell(std::int64_t number) const { return {number / (size[1] + 2), number % (size[1] + 2)}; }
  [[nodiscard]] std::int64_t number(const Cell& cell) const { return cell.column * (size[1] + 2) + cell.row; }
  [[nodiscard]] bool is_antenna(const Cell& cell) const { return kind(0, cell.column) == 1 && kind(1, cell.row) == 1; }

  /// The column (axis 0) or row (1) of unit cells, of three, for a column or row of the array.
  [[nodiscard]] std::size_t kind(std::size_t axis, std::int64_t k) const {
    return k == 0 ? 0 : (k <= size[axis] ? 1 : 2);
  }
  /// Translation of a cell's unit cell [m].
  [[nodiscard]] Vec3 shift(const Cell& cell) const;
  [[nodiscard]] const UnitCell& unit(const UnitCells& cells, const Cell& cell) const {
    return cells.cells[kind(0, cell.column)][kind(1, cell.row)];
  }
};

/// Numbers of items of which every cell has those of its unit cell, cell by cell.
class ArrayNumbers {
 public:
  using Counts = std::array<std::array<GlobalIndex, 3>, 3>;
  /// `counts`: items per unit cell.
  ArrayNumbers(const ArrayGrid& grid, const Counts& counts);

  /// The first item of a cell.
  [[nodiscard]] GlobalIndex first(const ArrayGrid::Cell& cell) const;
  /// The same by the cell's number, which may be one past the last cell.
  [[nodiscard]] GlobalIndex first(std::int64_t cell) const { return first(grid_.cell(cell)); }
  [[nodiscard]] GlobalIndex total() const { return first(grid_.cell_count()); }
  /// Number of the cell that contains an item.
  [[nodiscard]] std::int64_t cell_of(GlobalIndex item) const;

 private:
  ArrayGrid grid_;
  Counts counts_;
  std::array<GlobalIndex, 3> column_;  ///< items of a whole column, per kind
};

/// The grid of `size` antenna cells, at the pitch of the unit cells.
ArrayGrid make_grid(const UnitCells& cells, std::array<std::int64_t, 2> size);

/// Numbers of all elements, named faces or nodes of the array; a node between cells belongs to one (UnitCell::own).
ArrayNumbers number_elements(const UnitCells& cells, const ArrayGrid& grid);
ArrayNumbers number_faces(const UnitCells& cells, const ArrayGrid& grid);  ///< named ones
ArrayNumbers number_nodes(const UnitCells& cells, const ArrayGrid& grid);

}  // namespace tetrawave
