// The mesh file read by the solver, from the mesh named by a case.
#pragma once

#include <filesystem>
#include <optional>

#include "mesh/file/mesh_input.hpp"
#include "mesh/make/add_layers.hpp"

namespace tetrawave {

/// How the solver's mesh comes of the user's.
struct MeshRecipe {
  MeshInput input;
  double unit_m = 1;           ///< metres per unit of length of a geometry
  bool takes_curved = false;   ///< elements of second order
  bool is_unit_cells = false;  ///< of an array
  std::optional<PmlLayers> layers{};
  FacePorts ports{};
};

/// Whether the mesh has to be generated: from a geometry, or by adding layers to a mesh.
[[nodiscard]] bool is_mesh_to_make(const MeshRecipe& recipe);

/// The order to request from read_mesh_slab: that of the input, or if it has none, any (0) where curved elements are
/// taken, else 1.
[[nodiscard]] int order_to_read(const MeshRecipe& recipe);

/// Generates it: meshes input.file unless that is a Tetrawave mesh, and adds the layers. Call it
/// on one rank; `ranks` will set up the mesh. Throws UserError (see run_mesher, read_mesh_slab and add_layers).
void make_mesh_file(const MeshRecipe& recipe, const std::filesystem::path& output, int ranks);

}  // namespace tetrawave
