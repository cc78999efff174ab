// The mesh of a case, distributed over the ranks, with figures of the whole mesh.
#pragma once

#include "mesh/make/make_mesh_file.hpp"
#include "model/model.hpp"

namespace tetrawave::modes {

/// The recipe of a mesh that the case names by a file.
[[nodiscard]] MeshRecipe mesh_recipe(const Case& given);

/// Reads or makes the mesh and fills in its part of the model: mesh and its reports, media, boundaries, layers.
/// Collective.
void set_up_mesh(Model& model, const ModelRequest& request, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
