// The elements of an array's cells with their neighbours and walls, found once for every kind of cell.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/array/array_grid.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// An element as in every cell of its pattern. Vertices ascend, as in LocalMesh.
struct PatternElement {
  std::array<std::int32_t, 4> place{};               ///< per vertex: index among the nodes owned by its cell
  std::array<std::array<std::int8_t, 2>, 4> back{};  ///< per vertex: that cell's offset in columns and rows, backwards
  std::array<Vec3, 4> corner{};                      ///< [m] where the unit cell of that cell was meshed
  std::array<std::int32_t, 4> neighbour{};           ///< per face: number in its cell, or -1
  std::array<std::array<std::int8_t, 2>, 4> step{};  ///< per face: the neighbour's offset in columns and rows
  std::array<std::uint8_t, 4> neighbour_face{};
  std::array<std::int32_t, 4> boundary{};  ///< per face: tag, or -1
  std::int32_t region = 0;
};

/// Cells are equivalent if they and their four neighbours are of the same unit cells: at most 25 patterns. A small
/// array that contains them all, at most 3 x 3 antenna cells, is matched and checked face by face like any mesh.
class CellPatterns {
 public:
  /// Throws UserError (bad_mesh, bad_case) like connect_elements, with the numbers and places of the small array.
  CellPatterns(const UnitCells& cells, const ArrayGrid& grid, const FaceTags& tags, int threads);

  [[nodiscard]] std::size_t count() const { return patterns_.size(); }
  /// The pattern of a cell.
  [[nodiscard]] std::size_t of(const ArrayGrid::Cell& cell) const;
  [[nodiscard]] const std::vector<PatternElement>& elements(std::size_t pattern) const { return patterns_[pattern]; }
  /// Corners [m] of an element of a pattern in the small array.
  [[nodiscard]] std::array<Vec3, 4> corners(std::size_t pattern, const PatternElement& element) const;

 private:
  [[nodiscard]] ArrayGrid::Cell in_small(const ArrayGrid::Cell& cell) const;

  ArrayGrid grid_;
  ArrayGrid small_;
  std::vector<std::vector<PatternElement>> patterns_;  ///< per cell of the small array
};

}  // namespace tetrawave
