// A mesh of unit cells numbered alike on opposite cut planes, so that what follows from numbers repeats with the cells.
#pragma once

#include "mesh/file/mesh_file.hpp"

namespace tetrawave {

/// Renumbers the nodes so that of two nodes of a cut plane and their partners on the opposite one the same comes first,
/// and makes partners exact translates. Layers that are added then (add_layers.hpp), whose prisms are cut by numbers,
/// match on opposite planes too. Throws UserError (bad_mesh) as make_unit_cells does.
void align_planes(WholeMesh& mesh);

}  // namespace tetrawave
