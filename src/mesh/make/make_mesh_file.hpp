// The mesh that the solver reads, from what a case names.
#pragma once

#include <filesystem>

#include "case/spec/case.hpp"

namespace tetrawave {

/// Whether the mesh of a time-domain case has to be made: from a geometry, or by adding layers to a mesh.
[[nodiscard]] bool is_mesh_to_make(const MeshFileSpec& spec, const Case& given);

/// The order that read_mesh_slab is to ask for: that of the case, or where the case says none, any (0) in modes that
/// take curved elements and 1 in the others.
[[nodiscard]] int order_to_read(const MeshFileSpec& spec, const Case& given);

/// Makes it: meshes spec.file where that is no mesh of Tetrawave's, and adds the layers of boundaries.pml.faces. Call
/// it on one rank; `ranks` set the mesh up then. Throws UserError (see run_mesher, read_mesh_slab and add_layers).
void make_mesh_file(const MeshFileSpec& spec, const Case& given, const std::filesystem::path& output, int ranks);

}  // namespace tetrawave
