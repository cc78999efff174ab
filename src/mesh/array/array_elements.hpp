// The elements of a finite array owned by a rank, copied from patterns of cells: no slab is communicated, and only the
// faces of a small array are matched.
#pragma once

#include "base/phase_clock.hpp"
#include "comm/communicator.hpp"
#include "mesh/array/array_grid.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// The same elements, numbers, neighbours, walls and owners as build_local_mesh gives from make_array_slab, in another
/// order: cell by cell along a Hilbert curve, each in the order that order_elements gives its own elements, those at
/// the border to other ranks before all others. Of a cell only whole blocks of order_block are contiguous; its
/// remainder forms blocks with the remainders of the previous and next cells. With Ordering::none the order is that of
/// the numbers. Linear in the elements of this rank, on several threads; needs no memory in addition to the result
/// except per cell.
///
/// No periodic faces. Throws UserError, the same on all ranks: as CellPatterns, and as partition_cells. No
/// communication with other ranks except to agree on errors. `clock`: records the phases match, order and fill.
LocalMesh build_array_mesh(const UnitCells& cells, const ArrayGrid& grid, const FaceTags& tags, Ordering ordering,
                           int threads, const comm::Communicator& ranks, PhaseClock* clock = nullptr);

}  // namespace tetrawave
