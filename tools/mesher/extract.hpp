// From a meshed Gmsh model to Tetrawave's mesh.
#pragma once

#include "mesh/file/mesh_file.hpp"
#include "options.hpp"

namespace tetrawave::mesher {

/// Takes elements, named groups and their faces (2D: edges) out of Gmsh's current model, coordinates in metres.
/// Regions and groups come in the order of their physical tags, elements in the order of their entities, nodes in the
/// order of Gmsh's tags; nodes that no element uses are left out.
/// Throws UserError (bad_case) when a volume has no name or several, or when elements are not simplices.
[[nodiscard]] WholeMesh extract_mesh(const Options& options);

}  // namespace tetrawave::mesher
