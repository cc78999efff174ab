#include "model/check/kerr_check.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "case/error_list.hpp"
#include "media/material.hpp"
#include "schemes/central/kerr_update.hpp"

namespace tetrawave::modes {

namespace {

void check_material(const MaterialSpec& material, const MethodSpec& method) {
  const KerrSpec& kerr = *material.kerr;
  const auto refuse = [&](const std::string& why) {
    fail(ExitCode::bad_case, "{}: error: materials.{}.kerr: {}", kerr.place.text, material.name, why);
  };
  if (kerr.chi3_m2_per_v2 < 0)
    refuse(
        tetrawave::format("chi3 must not be negative, found {:.6g}: D(E) would turn back at |E| = sqrt(eps_r/(3 "
                          "|chi3|)) = {:.4g} V/m, and "
                          "no step is safe near it",
                          kerr.chi3_m2_per_v2, std::sqrt(make_medium(material).eps_r / (3 * -kerr.chi3_m2_per_v2))));
  if (kerr.chi3_m2_per_v2 == 0) return;
  if (method.scheme != Scheme::dgtd_central) refuse("a Kerr medium needs method.scheme: dgtd-central");
  if (!kernels::has_kerr(method.basis))
    refuse(tetrawave::format("a Kerr medium needs method.basis mixed-1, full-1, mixed-2 or full-2; found {}",
                             name_of(method.basis)));
  if (method.layout != Layout::factored) refuse("a Kerr medium needs method.layout: factored");
  if (method.precision != Precision::double_precision)
    refuse(
        "a Kerr medium needs method.precision: double; in single precision rounding is above the tolerance of the "
        "iteration");
  if (material.eps_diagonal || material.mu_diagonal) refuse("a Kerr medium has one eps_r and one mu_r for all axes");
  if (kerr.n2_m2_per_w)
    log::info("material {}: n2 = {:.6g} m^2/W is chi3 = {:.6g} m^2/V^2", material.name, *kerr.n2_m2_per_w,
              kerr.chi3_m2_per_v2);
}

}  // namespace

void check_kerr(const Case& given) {
  ErrorList errors;
  for (const MaterialSpec& material : given.materials)
    if (material.kerr) errors.collect([&] { check_material(material, given.method); });
  errors.throw_if_any();
}

namespace {

std::string place_of_region(const Case& given, const std::string& name) {
  for (const RegionSpec& region : given.regions)
    if (region.volume == name) return region.place.text;
  return "";
}

struct Failure {
  std::int64_t step = -1;
  GlobalIndex id = 0;
  std::int32_t region = 0;
  Vec3 centroid_m{};
  double field = 0;
};

Failure failure_of(const march::KerrFigures& figures, const LocalMesh& mesh) {
  if (figures.failed_step < 0) return {};
  const auto e = static_cast<std::size_t>(figures.failed_element);
  Failure failure{figures.failed_step, mesh.global_id[e], mesh.region[e], {}, figures.failed_field};
  for (const Vec3& corner : mesh.corners[e])
    for (std::size_t axis = 0; axis < 3; ++axis) failure.centroid_m[axis] += corner[axis] / 4;
  return failure;
}

}  // namespace

bool has_kerr(const march::Problem& problem) {
  return std::any_of(problem.media.begin(), problem.media.end(), [](const Medium& m) { return m.chi3 > 0; });
}

std::optional<KerrReport> watch_kerr(const march::Engine& engine, const march::Problem& problem, std::int64_t steps,
                                     double dt_s, const comm::Communicator& ranks) {
  if (!has_kerr(problem)) return {};
  const march::KerrFigures mine = engine.kerr_figures().value_or(march::KerrFigures{});
  const Failure failure = failure_of(mine, *problem.mesh);
  for (const Failure& f : ranks.all_gather(std::span<const Failure>(&failure, 1)))
    if (f.step >= 0)
      fail(ExitCode::unstable,
           "no convergence at step {} (t = {:.6g} s): the nonlinear update of element {} at ({:.6g}, {:.6g}, {:.6g}) "
           "m in region '{}', |E| up to {:.4g} V/m, has not reached method.kerr.tolerance {:.3g} in {} iterations: "
           "{}raise max_iterations or lower the time step",
           f.step, static_cast<double>(f.step) * dt_s, f.id, f.centroid_m[0], f.centroid_m[1], f.centroid_m[2],
           problem.mesh->region_names[static_cast<std::size_t>(f.region)], f.field, problem.kerr.tolerance,
           problem.kerr.max_iterations, problem.kerr.newton ? "" : "use iteration: newton, ");
  const double updates = ranks.sum(mine.updates) * static_cast<double>(std::max<std::int64_t>(steps, 1));
  return KerrReport{ranks.sum(mine.iterations) / updates, ranks.max(mine.most), ranks.max(mine.largest_eps_r), steps};
}

KerrReport both(const KerrReport& first, const KerrReport& second) {
  const auto steps = std::max<std::int64_t>(first.steps + second.steps, 1);
  return {(first.mean_iterations * static_cast<double>(first.steps) +
           second.mean_iterations * static_cast<double>(second.steps)) /
              static_cast<double>(steps),
          std::max(first.most_iterations, second.most_iterations), std::max(first.largest_eps_r, second.largest_eps_r),
          first.steps + second.steps};
}

void check_kerr_walls(const Case& given, const march::Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    if (!(problem.media[static_cast<std::size_t>(mesh.region[k])].chi3 > 0)) continue;
    const auto region = static_cast<std::size_t>(mesh.region[k]);
    if (problem.layers && problem.layers->is_layer[region])
      fail(ExitCode::bad_case,
           "{}: error: a Kerr medium reaches an absorbing layer: put a region of a linear medium before the layer",
           place_of_region(given, region_in_case(given, mesh.region_names[region])));
    for (const std::int32_t tag : mesh.boundary[k]) {
      if (tag < 0) continue;
      const march::Wall wall = problem.walls[static_cast<std::size_t>(tag)];
      if (wall == march::Wall::electric || wall == march::Wall::magnetic) continue;
      const std::string& name = mesh.region_names[static_cast<std::size_t>(mesh.region[k])];
      fail(ExitCode::bad_case,
           "{}: error: region '{}' of a Kerr medium touches an absorbing, impedance or port face: put a region of a "
           "linear medium between (one layer of elements is enough)",
           place_of_region(given, name), name);
    }
  }
}

}  // namespace tetrawave::modes
