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

bool is_own_mesh(const MeshFileSpec& spec) { return spec.file.extension() == ".h5"; }
bool has_layers(const Case& given) { return given.pml && !given.pml->faces.empty(); }

/// Reports errors in the mesh at its place in the case.
template <class Work>
auto at_place_of(const MeshFileSpec& spec, const Work& work) {
  try {
    return work();
  } catch (const UserError& error) {
    throw UserError(error.code(), tetrawave::format("{}: error: {}", spec.place.text, error.what()));
  }
}

}  // namespace

bool is_mesh_to_make(const MeshFileSpec& spec, const Case& given) { return !is_own_mesh(spec) || has_layers(given); }

int order_to_read(const MeshFileSpec& spec, const Case& given) {
  return spec.order != 0 || is_harmonic(given.mode) ? spec.order : 1;
}

void make_mesh_file(const MeshFileSpec& spec, const Case& given, const std::filesystem::path& output, int ranks) {
  if (!is_own_mesh(spec)) run_mesher(spec, given.unit_m, output, 3, is_harmonic(given.mode));
  if (!has_layers(given)) return;
  const std::filesystem::path& input = is_own_mesh(spec) ? spec.file : output;
  const int order = order_to_read(spec, given);
  WholeMesh mesh = at_place_of(spec, [&] { return make_whole(read_mesh_slab(input, 0, 1, order)); });
  const std::size_t before = mesh.region.size();
  if (given.array) at_place_of(spec, [&] { align_planes(mesh); });
  EdgeNodes on_edges;
  const bool is_curved = mesh.order == 2;
  if (is_curved) on_edges = drop_edge_nodes(mesh);
  add_layers(mesh, given, ranks);
  if (is_curved) add_edge_nodes(mesh, std::move(on_edges));  // layers have straight ones
  write_mesh(output, mesh);
  log::info("mesh: {} elements of absorbing layers added to {}", mesh.region.size() - before, before);
}

}  // namespace tetrawave
