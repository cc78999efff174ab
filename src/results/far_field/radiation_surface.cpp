#include "results/far_field/radiation_surface.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text/suggest.hpp"
#include "base/vertex_marks.hpp"
#include "basis/physical_element.hpp"
#include "mesh/neighbour_values.hpp"
#include "results/far_field/faces_beyond.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::results {

namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int32_t> regions_named(const LocalMesh& mesh, const std::vector<std::string>& names,
                                        const Place& place) {
  std::vector<std::int32_t> found;
  for (const std::string& name : names) {
    const auto region = std::find(mesh.region_names.begin(), mesh.region_names.end(), name);
    if (region == mesh.region_names.end())
      fail(ExitCode::bad_case, "{}: error: the mesh has no region '{}'{}; its regions: {}", place.text, name,
           did_you_mean(name, mesh.region_names), list_names(mesh.region_names));
    found.push_back(static_cast<std::int32_t>(region - mesh.region_names.begin()));
  }
  return found;
}

std::vector<std::int32_t> mark_regions(const LocalMesh& mesh, const std::vector<std::int32_t>& regions,
                                       std::int32_t mark) {
  std::vector<std::int32_t> marks;
  for (const std::int32_t region : mesh.region)
    marks.push_back(std::find(regions.begin(), regions.end(), region) == regions.end() ? 0 : mark);
  return marks;
}

/// All elements except those with a vertex on an absorbing face.
std::vector<std::int32_t> mark_inner_elements(const march::Problem& problem, const std::vector<bool>& absorbing,
                                              const Place& place, int threads, const comm::Communicator& ranks) {
  const LocalMesh& mesh = *problem.mesh;
  const std::vector<GlobalIndex> all = absorbing_vertices(problem, absorbing, ranks, threads);
  if (all.empty())
    fail(ExitCode::bad_case,
         "{}: error: outputs.far_field: no face is absorbing and no plane wave has a total-field region; name the "
         "surface: 'surface: REGION'",
         place.text);
  const VertexMarks is_absorbing(all);
  std::vector<std::int32_t> marks(mesh.vertices.size());
  for_each_index(marks.size(), threads, [&](std::size_t e) {
    const auto& vertices = mesh.vertices[e];
    const bool touches =
        std::any_of(vertices.begin(), vertices.end(), [&](GlobalIndex v) { return is_absorbing.has(v); });
    marks[e] = touches ? 0 : 1;
  });
  return marks;
}

void set_medium(RadiationSurface& surface, const march::Problem& problem, const FarFieldRequest& spec,
                const comm::Communicator& ranks) {
  std::vector<std::int32_t> regions;
  for (const auto& face : problem.spectral.faces) regions.push_back(problem.mesh->region[index(face.element)]);
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  const auto all = ranks.all_gather(std::span<const std::int32_t>(regions));
  if (all.empty())
    fail(ExitCode::bad_case,
         "{}: error: outputs.far_field: the surface has no faces: it needs elements within it and beyond it",
         spec.surface_place.text);
  const std::int32_t first = *std::min_element(all.begin(), all.end());
  const Medium& medium = problem.media[index(first)];
  for (const std::int32_t region : all) {
    const Medium& other = problem.media[index(region)];
    if (other == medium && other.is_lossless() && other.is_isotropic() && !other.is_dispersive() && other.chi3 == 0)
      continue;
    fail(ExitCode::bad_case,
         "{}: error: outputs.far_field: the surface touches region '{}', which is not of the "
         "single lossless isotropic medium around the structure; name another surface",
         spec.surface_place.text, problem.mesh->region_names[index(region)]);
  }
  surface.impedance = medium.impedance();
  surface.refractive_index = std::sqrt(medium.eps_r * medium.mu_r);
}

/// Area vectors sum to zero for a closed surface; with an image behind a plane, their component normal to it does so in
/// any case.
bool adds_up(const RadiationSurface& surface, const march::Problem& problem, const FarFieldRequest& spec,
             const comm::Communicator& ranks) {
  Vec3 sum{};
  double area = 0;
  for (std::size_t i = 0; i < surface.faces.size(); ++i) {
    const auto& face = problem.spectral.faces[i];
    const basis::PhysicalElement element(problem.space, problem.mesh->corners[index(face.element)]);
    const double part = surface.faces[i].weight * element.area(face.face);
    sum = sum + (surface.faces[i].outward * part) * element.normal(face.face);
    area += part;
  }
  for (double& x : sum) x = ranks.sum(x);
  area = ranks.sum(area);
  for (const MirrorPlane& mirror : spec.mirrors) sum[index(mirror.axis)] = 0;
  return norm(sum) < 1e-6 * area;
}

}  // namespace

std::vector<std::int32_t> choose_enclosed(const march::Problem& problem, const FarFieldRequest& spec,
                                          const std::vector<std::string>& total_field,
                                          const std::vector<bool>& absorbing, const comm::Communicator& ranks,
                                          int threads) {
  const LocalMesh& mesh = *problem.mesh;
  if (!spec.surface.empty())
    return mark_regions(mesh, regions_named(mesh, spec.surface, spec.surface_place),
                        spec.surface == total_field ? 2 : 1);
  if (!total_field.empty()) return mark_regions(mesh, regions_named(mesh, total_field, spec.place), 2);
  return mark_inner_elements(problem, absorbing, spec.place, threads, ranks);
}

RadiationSurface add_radiation_surface(march::Problem& problem, const FarFieldRequest& spec,
                                       const std::vector<std::int32_t>& enclosed, const comm::Communicator& ranks,
                                       int threads) {
  const LocalMesh& mesh = *problem.mesh;
  const NeighbourValues neighbours(mesh, enclosed, ranks);
  RadiationSurface surface;
  std::int64_t total = 0;
  for (const std::int32_t mark : enclosed) {
    surface.encloses.push_back(mark > 0);
    total += mark == 2 ? 1 : 0;
  }
  surface.is_outside = ranks.sum(total) > 0;
  using Face = std::pair<LocalIndex, std::uint8_t>;
  const auto borders = collect<Face>(enclosed.size(), threads, [&](std::size_t i, auto& list) {
    const auto e = static_cast<LocalIndex>(i);
    for (std::uint8_t f = 0; f < 4; ++f) {
      const std::int32_t other = neighbours.behind(e, f);
      if (other >= 0 && (enclosed[i] > 0) != (other > 0)) list.emplace_back(e, f);
    }
  });
  for (const auto& [e, f] : borders) {
    const std::int32_t own = enclosed[index(e)];
    (own > 0 ? surface.inner : surface.outer).emplace_back(e, f);
    const bool outer_side_alone = own == 2 || neighbours.behind(e, f) == 2 || march::wall_at(problem, e, f).has_value();
    if (outer_side_alone && own > 0) continue;
    problem.spectral.faces.push_back({e, f});
    surface.faces.push_back({own > 0 ? 1.0 : -1.0, outer_side_alone ? 1.0 : 0.5});
  }
  for (const double hz : spec.frequencies_hz) problem.spectral.frequencies_per_m.push_back(hz / c0_m_per_s);
  set_medium(surface, problem, spec, ranks);
  surface.is_closed = adds_up(surface, problem, spec, ranks);
  return surface;
}

}  // namespace tetrawave::results
