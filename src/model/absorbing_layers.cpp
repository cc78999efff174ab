#include "model/absorbing_layers.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "base/text/format.hpp"
#include "base/text/suggest.hpp"
#include "case/check/refusals.hpp"
#include "case/error_list.hpp"
#include "case/region_media.hpp"
#include "mesh/make/add_layers.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave::modes {

namespace {

void choose_regions(const PmlLayers& spec, const Case& given, const LocalMesh& mesh, std::vector<Medium>& media,
                    march::AbsorbingLayers& layers) {
  layers.is_layer.assign(mesh.region_names.size(), false);
  layers.loss_per_m.resize(mesh.region_names.size(), {0, 0});
  ErrorList errors;
  for (std::size_t i = 0; i < spec.regions.size(); ++i) {
    const auto found = std::find(mesh.region_names.begin(), mesh.region_names.end(), spec.regions[i]);
    errors.collect([&] {
      if (found == mesh.region_names.end())
        fail(ExitCode::bad_case, "{}: error: boundaries.pml.regions: the mesh has no volume '{}'{}; its volumes: {}",
             spec.name_places[i].text, spec.regions[i], did_you_mean(spec.regions[i], mesh.region_names),
             list_names(mesh.region_names));
      layers.is_layer[static_cast<std::size_t>(found - mesh.region_names.begin())] = true;
    });
  }
  for (std::size_t r = 0; r < layers.is_layer.size(); ++r) {
    if (region_in_case(given, mesh.region_names[r]) != mesh.region_names[r]) layers.is_layer[r] = true;
    if (!layers.is_layer[r]) continue;
    Medium& medium = media[r];
    errors.collect([&] {
      if (medium.is_dispersive() || medium.chi3 > 0 || !(medium.is_isotropic() || medium.is_lossless()))
        fail(ExitCode::bad_case, medium_of_layer.text, spec.place.text, region_in_case(given, mesh.region_names[r]),
             medium.is_dispersive() ? "dispersion" : (medium.chi3 > 0 ? "a Kerr effect" : "axes and losses"));
    });
    layers.loss_per_m[r] = {medium.sigma_e / medium.eps_r, medium.sigma_m / medium.mu_r};
    medium.sigma_e = medium.sigma_m = 0;
  }
  errors.throw_if_any();
}

/// The box around all other elements, and the extent of the mesh beyond it.
void measure_box(const LocalMesh& mesh, const MeshSummary& summary, march::AbsorbingLayers& layers,
                 const comm::Communicator& ranks) {
  layers.low.fill(std::numeric_limits<double>::infinity());
  layers.high.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    if (layers.is_layer[static_cast<std::size_t>(mesh.region[e])]) continue;
    for (const Vec3& corner : mesh.corners[e])
      for (std::size_t axis = 0; axis < 3; ++axis) {
        layers.low[axis] = std::min(layers.low[axis], corner[axis]);
        layers.high[axis] = std::max(layers.high[axis], corner[axis]);
      }
  }
  const double tolerance = 1e-8 * norm(summary.high_m - summary.low_m);
  const auto thickness = [&](double length) { return length > tolerance ? length : 0; };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    layers.low[axis] = ranks.min(layers.low[axis]);
    layers.high[axis] = ranks.max(layers.high[axis]);
    layers.thickness_m[0][axis] = thickness(layers.low[axis] - summary.low_m[axis]);
    layers.thickness_m[1][axis] = thickness(summary.high_m[axis] - layers.high[axis]);
  }
}

void refuse_thin(const PmlLayers& spec, const MeshSummary& summary, const march::AbsorbingLayers& layers) {
  const double size_m = norm(summary.high_m - summary.low_m);
  if (!spec.faces.empty()) check_layer_thickness(spec, spec.thickness_m, size_m);
  for (const auto& side : layers.thickness_m)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (side[axis] > 0) check_layer_thickness(spec, side[axis], size_m);
}

/// The first element, by its global id, of a layer inside the box.
void check_elements(const PmlLayers& spec, const LocalMesh& mesh, const march::AbsorbingLayers& layers,
                    const comm::Communicator& ranks) {
  GlobalIndex wrong = std::numeric_limits<GlobalIndex>::max();
  for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
    if (!layers.is_layer[static_cast<std::size_t>(mesh.region[e])]) continue;
    const Vec3 place = centroid(mesh.corners[e]);
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
      inside = inside && place[axis] > layers.low[axis] && place[axis] < layers.high[axis];
    if (inside) wrong = std::min(wrong, mesh.global_id[e]);
  }
  const std::int64_t first = ranks.min(static_cast<std::int64_t>(wrong));
  if (first == std::numeric_limits<GlobalIndex>::max()) return;
  fail(ExitCode::bad_case,
       "{}: error: boundaries.pml: element {} of a layer is inside of the box around all other elements, ({:.6g}, "
       "{:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m; layers are around a box",
       spec.place.text, first, layers.low[0], layers.low[1], layers.low[2], layers.high[0], layers.high[1],
       layers.high[2]);
}

}  // namespace

std::optional<march::AbsorbingLayers> make_layers(const Case& given, const LocalMesh& mesh, const MeshSummary& summary,
                                                  std::vector<Medium>& media, const comm::Communicator& ranks) {
  if (!given.pml) return std::nullopt;
  march::AbsorbingLayers layers;
  layers.cells = given.pml->cells;
  layers.reflection = given.pml->reflection;
  choose_regions(*given.pml, given, mesh, media, layers);
  measure_box(mesh, summary, layers, ranks);
  if (layers.low[0] > layers.high[0])
    fail(ExitCode::bad_case, "{}: error: boundaries.pml: all regions of the mesh are layers; there is nothing inside",
         given.pml->place.text);
  refuse_thin(*given.pml, summary, layers);
  check_elements(*given.pml, mesh, layers, ranks);
  return layers;
}

}  // namespace tetrawave::modes
