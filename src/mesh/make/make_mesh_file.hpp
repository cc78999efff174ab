// The mesh file read by the solver, from the mesh named by a case.
#pragma once

#include <filesystem>

#include "case/spec/case.hpp"

namespace tetrawave {

/// Whether the mesh of a time-domain case has to be generated: from a geometry, or by adding layers to a mesh.
[[nodiscard]] bool is_mesh_to_make(const MeshFileSpec& spec, const Case& given);

/// The order to request from read_mesh_slab: that of the case, or if the case gives none, any (0) in modes that support
/// curved elements and 1 in the others.
[[nodiscard]] int order_to_read(const MeshFileSpec& spec, const Case& given);

/// Generates it: meshes spec.file unless that is a Tetrawave mesh, and adds the layers of boundaries.pml.faces. Call it
/// on one rank; `ranks` will set up the mesh. Throws UserError (see run_mesher, read_mesh_slab and add_layers).
void make_mesh_file(const MeshFileSpec& spec, const Case& given, const std::filesystem::path& output, int ranks);

}  // namespace tetrawave
