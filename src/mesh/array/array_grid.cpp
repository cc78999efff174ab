#include "mesh/array/array_grid.hpp"

#include <algorithm>

namespace tetrawave {

Vec3 ArrayGrid::shift(const Cell& cell) const {
  const auto along = [&](std::size_t axis, std::int64_t k) {
    const std::int64_t pitches = k == 0 ? 0 : (k <= size[axis] ? k : size[axis]) - 1;
    return static_cast<double>(pitches) * pitch_m[axis];
  };
  return {along(0, cell.column), along(1, cell.row), 0};
}

ArrayNumbers::ArrayNumbers(const ArrayGrid& grid, const Counts& counts) : grid_(grid), counts_(counts), column_{} {
  for (std::size_t k = 0; k < 3; ++k) column_[k] = counts[k][0] + grid.size[1] * counts[k][1] + counts[k][2];
}

GlobalIndex ArrayNumbers::first(const ArrayGrid::Cell& cell) const {
  const auto& [column, row] = cell;
  const std::int64_t nx = grid_.size[0];
  GlobalIndex number = column == 0 ? 0 : column_[0] + (std::min(column, nx + 1) - 1) * column_[1];
  if (column == nx + 2) number += column_[2];
  const auto& counts = counts_[grid_.kind(0, column)];
  return number + (row == 0 ? 0 : counts[0] + (row - 1) * counts[1]);
}

std::int64_t ArrayNumbers::cell_of(GlobalIndex item) const {
  std::int64_t low = 0, high = grid_.cell_count();  // first(low) <= item < first(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (first(middle) <= item ? low : high) = middle;
  }
  return low;
}

ArrayGrid make_grid(const UnitCells& cells, std::array<std::int64_t, 2> size) {
  return {size, {cells.pitch_m(0), cells.pitch_m(1)}};
}

namespace {

/// With the counts of `list` in every unit cell.
template <class List>
ArrayNumbers number_items(const UnitCells& cells, const ArrayGrid& grid, List UnitCell::*list) {
  ArrayNumbers::Counts counts{};
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row)
      counts[column][row] = static_cast<GlobalIndex>((cells.cells[column][row].*list).size());
  return {grid, counts};
}

}  // namespace

ArrayNumbers number_elements(const UnitCells& cells, const ArrayGrid& grid) {
  return number_items(cells, grid, &UnitCell::elements);
}

ArrayNumbers number_faces(const UnitCells& cells, const ArrayGrid& grid) {
  return number_items(cells, grid, &UnitCell::faces);
}

ArrayNumbers number_nodes(const UnitCells& cells, const ArrayGrid& grid) {
  return number_items(cells, grid, &UnitCell::own);
}

}  // namespace tetrawave
