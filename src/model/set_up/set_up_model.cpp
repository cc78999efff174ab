#include "model/set_up/set_up_model.hpp"

#include <utility>

#include "base/constants.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/scheme.hpp"
#include "case/error_list.hpp"
#include "media/wideband_debye.hpp"
#include "model/edge_warnings.hpp"
#include "model/far_field.hpp"
#include "model/kerr_media.hpp"
#include "model/plane_wave.hpp"
#include "model/port_setup.hpp"
#include "model/set_up/mesh_setup.hpp"
#include "model/sheet_edges.hpp"
#include "model/sources.hpp"
#include "model/wall_media.hpp"
#include "results/history/probes.hpp"

namespace tetrawave::modes {

namespace {

/// Laminates replaced by their Debye terms.
void report_laminates(const std::vector<Material>& materials) {
  for (const Material& material : materials) {
    if (!material.wideband_debye) continue;
    const WidebandDebyeFit fit = fit_wideband_debye(*material.wideband_debye);
    log::info(
        "material {}: {} Debye terms, eps_r {:.6g} at infinite frequency; over the band eps is within {:.2g} and the "
        "loss tangent within {:.2g} (relative) of the wideband model",
        material.name, fit.terms.size(), fit.eps_r, fit.permittivity_error, fit.loss_tangent_error);
  }
}

/// Every rank has all faces of a port, so all ranks find the same errors.
std::vector<FoundPort> set_up_ports_and_probes(Model& model, int threads, const comm::Communicator& ranks) {
  const Case& given = model.given;
  ErrorList errors;
  std::vector<FoundPort> ports = set_up_ports(model, errors, threads, ranks);
  errors.collect([&] { results::add_probes(model.problem, given.outputs.probes, ranks); });
  errors.collect([&] {
    if (given.outputs.fields) model.grids = results::add_field_grids(model.problem, *given.outputs.fields, ranks);
  });
  errors.throw_if_any();
  return ports;
}

void start_problem(Model& model, const ModelRequest& request) {
  const Case& given = model.given;
  march::Problem& problem = model.problem;
  problem.mesh = &model.mesh;
  problem.scheme = given.method.scheme;
  const bool is_nested = model.is_conforming && !request.is_implicit_march && given.method.basis == Space::full_3;
  problem.space = is_nested ? Space::nested_full_3 : given.method.basis;
  problem.layout = given.method.layout;
  problem.has_initial_fields = given.initial_fields.has_value();
  problem.kerr = {given.method.kerr.newton, given.method.kerr.averaged, given.method.kerr.tolerance,
                  given.method.kerr.max_iterations};
  if (!model.is_conforming) {
    problem.penalty = given.method.penalty;
    problem.time_order = given.method.time_order;
  }
  problem.energy_every = given.outputs.energy_every.value_or(0);
  problem.sums_jumps = !model.is_conforming && has_upwind_fluxes(given.method.scheme);
}

}  // namespace

march::EngineOptions engine_options(const Case& given) {
  return {given.method.precision, given.run.threads, given.run.transport};
}

ModelParts set_up_model(Model& model, const Case& spec, const ModelRequest& request, const comm::Communicator& ranks) {
  ranks.agree([&] {
    check_media(spec.materials);
    check_kerr(spec);
    check_plane_waves_at_symmetry(spec);
  });
  report_laminates(spec.materials);
  model.given = spec;
  model.is_conforming = request.is_conforming;
  const Case& given = model.given;
  const int threads = request.mesh.threads;
  model.bytes_before = resident_bytes();
  start_problem(model, request);
  set_up_mesh(model, request, ranks);
  find_metal_edges(model, threads, ranks);
  model.clock.end("edges");
  model.problem.walls = model.boundaries.walls;
  model.problem.wall_ohms = model.boundaries.wall_ohms;
  model.problem.wall_branches = model.boundaries.wall_branches;
  ModelParts parts;
  parts.ports = set_up_ports_and_probes(model, threads, ranks);
  ranks.agree([&] {
    check_kerr_walls(given, model.problem);
    if (model.problem.time_order == 4) check_dispersive_walls(given, model.problem);
  });
  model.clock.end("ports");
  auto* borders = request.is_implicit_march ? &parts.plane_waves : nullptr;
  model.source_delay_s = add_sources(model.problem, given, ranks, borders) / c0_m_per_s;
  if (!model.is_conforming) warn_of_spurious_modes(model.problem, model.summary.region_volume_m3, given, ranks);
  warn_of_absorbing_walls(model, ranks);
  if (!request.has_surface || !given.outputs.far_field || !given.outputs.far_field->surface.empty())
    set_up_far_field(model, given, threads, ranks);
  model.clock.end("surface");
  set_up_sheet_edges(model, threads, ranks);
  warn_of_coarse_edges(model, threads, ranks);
  model.clock.end("edges");
  return parts;
}

}  // namespace tetrawave::modes
