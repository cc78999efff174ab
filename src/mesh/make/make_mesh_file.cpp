#include "mesh/make/make_mesh_file.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesh/file/second_order.hpp"
#include "mesh/make/add_layers.hpp"
#include "mesh/make/align_planes.hpp"
#include "mesh/make/run_mesher.hpp"

namespace tetrawave {

namespace {

bool is_own_mesh(const MeshInput& spec) { return spec.file.extension() == ".h5"; }
bool has_layers(const MeshRecipe& recipe) { return recipe.layers && !recipe.layers->faces.empty(); }

/// Reports errors in the mesh at its place in the case.
template <class Work>
auto at_place_of(const MeshInput& spec, const Work& work) {
  try {
    return work();
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", spec.place.text, error.what()));
  }
}

}  // namespace

bool is_mesh_to_make(const MeshRecipe& recipe) { return !is_own_mesh(recipe.input) || has_layers(recipe); }

int order_to_read(const MeshRecipe& recipe) {
  return recipe.input.order != 0 || recipe.takes_curved ? recipe.input.order : 1;
}

void make_mesh_file(const MeshRecipe& recipe, const std::filesystem::path& output, int ranks) {
  const MeshInput& spec = recipe.input;
  if (!is_own_mesh(spec)) run_mesher(spec, recipe.unit_m, output, 3, recipe.takes_curved);
  if (!has_layers(recipe)) return;
  const std::filesystem::path& input = is_own_mesh(spec) ? spec.file : output;
  const int order = order_to_read(recipe);
  WholeMesh mesh = at_place_of(spec, [&] { return make_whole(read_mesh_slab(input, 0, 1, order)); });
  const std::size_t before = mesh.region.size();
  if (recipe.is_unit_cells) at_place_of(spec, [&] { align_planes(mesh); });
  EdgeNodes on_edges;
  const bool is_curved = mesh.order == 2;
  if (is_curved) on_edges = drop_edge_nodes(mesh);
  add_layers(mesh, *recipe.layers, recipe.ports, ranks);
  if (is_curved) add_edge_nodes(mesh, std::move(on_edges));  // layers have straight ones
  write_mesh(output, mesh);
  log::info("mesh: {} elements of absorbing layers added to {}", mesh.region.size() - before, before);
}

}  // namespace tetrawave
