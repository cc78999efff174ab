// A finite array in the time domain: its mesh from unit cells, and the ports of all cells from those of one.
#pragma once

#include <filesystem>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "mesh/array/array_grid.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/mesh_slab.hpp"

namespace tetrawave::modes {

/// The cells of a port's copies.
struct ArrayPlan {
  ArrayGrid grid;
  ArrayNumbers elements;

  /// The antenna cell that contains an element, i ny + j; -1 for the rim.
  [[nodiscard]] std::int64_t antenna_of(GlobalIndex element) const;
  [[nodiscard]] std::int64_t antenna_count() const { return grid.size[0] * grid.size[1]; }
};

/// An array as read, with its grid.
struct ArrayCells {
  UnitCells cells;
  MeshSlab slab;  ///< of array.explicit; else names and counts only, those of ports' surfaces in all cells included
  ArrayPlan plan;
};

/// Reads the mesh of unit cells in `cells_file`, and replaces `given.ports` by those of all cells (expand_ports). With
/// array.explicit the plain mesh passes through the file array.h5 in `scratch`. Throws UserError, the same on all
/// ranks: errors of make_unit_cells, at the place in the case; a port that is not in the antenna cell only. Collective.
ArrayCells read_array(Case& given, const std::filesystem::path& cells_file, const std::filesystem::path& scratch,
                      const comm::Communicator& ranks);

/// The tags of boundaries by the groups of unit cells: with ArrayDescription::has_port_tags surfaces of ports have the
/// tags of cell (0, 0), to which `give_port_tags` then adds those of the other cells. `tags`: by the names of `slab`.
FaceTags tags_of_cells(const Case& given, const UnitCells& cells, FaceTags tags);
void give_port_tags(LocalMesh& mesh, const Case& given, const ArrayPlan& plan, int threads);

/// Port k of cell (i, j) becomes number (i ny + j) P + k, P ports per cell, named NAME.i.j; with tags of its own its
/// surface is GROUP.i.j. It is driven by amplitude_ij w(t - delay - delay_ij), with the delays of the beam and of the
/// phases, the shortest being 0:  r_ij.u/c0 - phase_ij/(360 frequency),  u the direction of the beam.
void expand_ports(Case& given, const ArrayGrid& grid);

}  // namespace tetrawave::modes
