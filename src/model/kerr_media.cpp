#include "model/kerr_media.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/log.hpp"
#include "case/check/refusals.hpp"
#include "case/error_list.hpp"
#include "case/region_media.hpp"
#include "model/wall_media.hpp"

namespace tetrawave::modes {

namespace {

void check_material(const Material& material) {
  const KerrTerm& kerr = *material.kerr;
  if (kerr.chi3_m2_per_v2 < 0)
    fail(ExitCode::bad_case,
         "{}: error: materials.{}.kerr: chi3 must not be negative, found {:.6g}: D(E) would turn back at |E| = "
         "sqrt(eps_r/(3 |chi3|)) = {:.4g} V/m, and no step is safe near it",
         kerr.place.text, material.name, kerr.chi3_m2_per_v2,
         std::sqrt(make_medium(material).eps_r / (3 * -kerr.chi3_m2_per_v2)));
  if (kerr.n2_m2_per_w && kerr.chi3_m2_per_v2 > 0)
    log::info("material {}: n2 = {:.6g} m^2/W is chi3 = {:.6g} m^2/V^2", material.name, *kerr.n2_m2_per_w,
              kerr.chi3_m2_per_v2);
}

}  // namespace

void check_kerr(const Case& given) {
  ErrorList errors;
  for (const Material& material : given.materials)
    if (material.kerr) errors.collect([&] { check_material(material); });
  errors.throw_if_any();
}

bool has_kerr(const march::Problem& problem) {
  return std::any_of(problem.media.begin(), problem.media.end(), [](const Medium& m) { return m.chi3 > 0; });
}

void check_kerr_walls(const Case& given, const march::Problem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    const auto k = static_cast<std::size_t>(e);
    if (!(problem.media[static_cast<std::size_t>(mesh.region[k])].chi3 > 0)) continue;
    const auto region = static_cast<std::size_t>(mesh.region[k]);
    if (problem.layers && problem.layers->is_layer[region])
      fail(ExitCode::bad_case, kerr_at_layer.text,
           place_of_region(given, region_in_case(given, mesh.region_names[region])));
    if (!touches_open_wall(problem, e)) continue;
    const std::string& name = mesh.region_names[region];
    fail(ExitCode::bad_case, kerr_at_wall.text, place_of_region(given, name), name);
  }
}

}  // namespace tetrawave::modes
