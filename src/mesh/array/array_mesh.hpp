// The mesh of a finite array, generated slab by slab from its unit cells, and as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/array/array_grid.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave {

/// Slab `rank` of `ranks` of the array, without ever storing the whole mesh, with the rank that will own each element
/// (partition_cells). Antenna cell (0, 0) stays where it was meshed. Throws UserError (usage) if there are more ranks
/// than cells.
MeshSlab make_array_slab(const UnitCells& cells, const ArrayGrid& grid, int rank, int ranks, int threads);

/// The owner of every cell: recursive bisection of the longer side of the remainder, column after column, so that all
/// ranks have the same number of elements within one cell. The same on every rank.
std::vector<std::int32_t> partition_cells(const UnitCells& cells, const ArrayGrid& grid, int ranks);

/// The same mesh with the same numbers, generated independently by placing cell after cell and joining nodes at the
/// same position. A face of the antenna cell that is in one of `split_groups` is in the group NAME.i.j of its cell (i,
/// j).
WholeMesh make_explicit_array(const UnitCells& cells, const ArrayGrid& grid,
                              const std::vector<std::string>& split_groups);

}  // namespace tetrawave
