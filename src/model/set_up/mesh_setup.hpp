// The mesh of a case, distributed over the ranks, with what only the whole mesh tells.
#pragma once

#include "mesh/make/make_mesh_file.hpp"
#include "model/model.hpp"

namespace tetrawave::modes {

/// Of a case whose mesh is a file.
[[nodiscard]] MeshRecipe mesh_recipe(const Case& given);

/// Reads or makes the mesh and fills in its part of the model: mesh and its reports, media, boundaries, layers.
/// Collective.
void set_up_mesh(Model& model, const ModelRequest& request, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
