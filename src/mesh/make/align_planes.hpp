// Equal node numbering on opposite cut planes of unit cells, so that everything derived from numbers repeats with the
// cells.
#pragma once

#include "mesh/file/mesh_file.hpp"

namespace tetrawave {

/// Renumbers the nodes so that two nodes of a cut plane and their partners on the opposite one are in the same order,
/// and makes partners exact translates. Layers added afterwards (add_layers.hpp), whose prisms are divided by numbers,
/// then match on opposite planes too. Throws UserError (bad_mesh) as make_unit_cells does.
void align_planes(WholeMesh& mesh);

}  // namespace tetrawave
