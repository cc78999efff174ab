#include "model/port_setup.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "case/region_media.hpp"
#include "case/spec/highest_frequency.hpp"
#include "model/ports/recipe.hpp"
#include "model/sheet_edges.hpp"
#include "results/s_parameters/array_output.hpp"

namespace tetrawave::modes {

namespace {

/// A material whose only losses are a loss tangent.
bool is_laminate(const Material& material) {
  return (material.loss_tangent != 0 || material.wideband_debye) && material.sigma_s_per_m == 0 &&
         material.sigma_m_ohm_per_m == 0 && material.electric_dispersion.empty() &&
         material.magnetic_dispersion.empty();
}

PortConditions conditions_of(const Model& model, std::size_t tag, const PortPlace& place) {
  const Case& given = model.given;
  const PortDescription& spec = given.ports[tag];
  PortConditions conditions{spec, given.method.basis, model.problem.scheme, requested_band(given),
                            find_highest_frequency(given).hz};
  for (const Material& material : given.materials)
    if (is_laminate(material)) conditions.laminates.push_back(medium_of(given, material));
  if (spec.type != PortType::tem) return conditions;
  const auto signal = std::find_if(given.boundaries.begin(), given.boundaries.end(),
                                   [&](const BoundarySpec& boundary) { return boundary.group == spec.signal; });
  ensure(signal != given.boundaries.end(), "the signal of a port is one of boundaries.pec");
  conditions.signal = static_cast<std::int32_t>(given.port_tag_count()) +
                      static_cast<std::int32_t>(signal - given.boundaries.begin());  // BoundaryTable
  conditions.tag_names = &model.boundaries.tags.names;
  conditions.weights = weigh_port(model, place.faces.all, potential_degree(given.method.basis));
  return conditions;
}

/// The wall of a port that takes its mode alone after all, and that of a lumped one.
void set_wall(Model& model, std::size_t tag, const SolvedPort& solved) {
  PortDescription& spec = model.given.ports[tag];
  if (solved.summary.takes_one_mode && !spec.takes_one_mode) {
    spec.takes_one_mode = true;
    model.boundaries.walls[tag] = model.problem.walls[tag] = march::Wall::one_mode;
  }
  if (const auto* face = std::get_if<LumpedFace>(&solved.mode)) model.problem.wall_ohms[tag] = face->port.sheet_ohms();
}

/// By the port's name; of copies in an array the first is kept.
void keep_mode(Model& model, const PortDescription& spec, std::optional<results::PortMode> mode) {
  if (!mode) return;
  mode->port = model.given.array ? results::name_in_cell(spec) : spec.name;
  auto& kept = *model.port_modes;
  const auto is_it = [&](const results::PortMode& other) { return other.port == mode->port; };
  if (std::none_of(kept.begin(), kept.end(), is_it)) kept.push_back(std::move(*mode));
}

/// Of a quasi-TEM port of finite elements.
std::optional<fem::CrossSection> cross_section_of(const Model& model, const SolvedPort& solved,
                                                  const std::vector<double>& weights) {
  if (!model.is_conforming || !solved.summary.is_quasi_tem) return std::nullopt;
  const std::vector<PortTriangle>& all = solved.of_mode.all;
  const auto& port = std::get<TemPort>(solved.mode);
  fem::CrossSection section;
  section.triangles = all;
  section.normal = port.mode.normal;
  for (std::size_t t = 0; t < all.size(); ++t) {
    const double weight = weights.empty() ? 1 : weights[t];
    section.eps.push_back(weight * solved.of_mode.media[t].eps_r);
    section.inverse_mu.push_back(weight / solved.of_mode.media[t].mu_r);
  }
  section.wall = port.admittance;
  for (const auto* edges : {&port.mode.conductors.signal, &port.mode.conductors.others})
    section.metal.insert(section.metal.end(), edges->begin(), edges->end());
  section.static_field = [mode = port.mode](std::size_t t, const std::array<double, 3>& l) {
    return mode.electric(t, l);
  };
  section.static_eps = port.refractive_index * port.refractive_index;
  section.norm = eta0_ohm / solved.summary.face_impedance_ohm();
  return section;
}

results::PortRecipe set_up_port(Model& model, std::size_t tag, const PortPlace& place, const comm::Communicator& ranks,
                                std::optional<fem::CrossSection>& line) {
  const PortConditions conditions = conditions_of(model, tag, place);
  const SolvedPort solved = solve_port(conditions, place);
  line = cross_section_of(model, solved, conditions.weights);
  set_wall(model, tag, solved);
  const PortDescription& spec = model.given.ports[tag];
  MadePort made = make_port_recipe(model.problem, spec, place, solved, static_cast<std::int32_t>(tag), ranks);
  keep_mode(model, spec, std::move(made.mode));
  results::place_port(model.problem, results::place_faces(place.faces), made.recipe,
                      static_cast<std::int32_t>(tag) + 1);
  model.ports.push_back(made.summary);
  return std::move(made.recipe);
}

using LocalFaces = std::vector<results::LocalPortFace>;

/// This rank's faces of every port of every antenna cell, at cell P + tag.
std::vector<LocalFaces> sort_by_cells(const Model& model, const std::vector<LocalFaces>& of_tag) {
  const auto cells = static_cast<std::size_t>(model.array->antenna_count());
  std::vector<LocalFaces> sorted(cells * of_tag.size());
  for (std::size_t tag = 0; tag < of_tag.size(); ++tag)
    for (const results::LocalPortFace& face : of_tag[tag]) {
      const auto cell = model.array->antenna_of(model.mesh.global_id[static_cast<std::size_t>(face.element)]);
      ensure(cell >= 0, "ports of an array lie in its antenna cells");
      sorted[static_cast<std::size_t>(cell) * of_tag.size() + tag].push_back(face);
    }
  return sorted;
}

/// The ports of the other antenna cells. Most of the time is spent on their moments.
void copy_ports(Model& model, std::vector<FoundPort>& found, const std::vector<LocalFaces>& faces, int threads) {
  const auto& [grid, elements] = *model.array;
  const ArrayGrid::Cell first{1, 1};
  const std::size_t count = model.given.ports.size() - found.size();
  std::vector<results::PlacedPort> placed(count);
  std::vector<std::vector<results::PlacedFace>> places(count);
  for_each_task(count, threads, [&](std::size_t k) {
    const std::size_t p = found.size() + k;
    const auto cell = static_cast<std::int64_t>(p / found.size());
    const ArrayGrid::Cell place{1 + cell / grid.size[1], 1 + cell % grid.size[1]};
    const auto& of_first = found[p % found.size()].faces;
    const auto& recipe = found[p % found.size()].recipe;
    places[k] = results::place_copy(of_first, model.mesh, faces[p], elements.first(place) - elements.first(first),
                                    grid.shift(place));
    placed[k] = results::make_placed_port(model.problem, places[k], recipe, static_cast<std::int32_t>(p) + 1);
  });
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t p = found.size() + k;
    FoundPort& of_first = found[p % found.size()];
    results::add_port(model.problem, std::move(placed[k]), of_first.recipe, static_cast<std::int32_t>(p) + 1);
    if (of_first.line) of_first.places.push_back(std::move(places[k]));
    model.ports.push_back(model.ports[p % found.size()]);
    model.ports.back().name = model.given.ports[p].name;
  }
  log::info("array: {} ports, those of cell (0, 0) in every antenna cell", model.ports.size());
}

/// A leap-frog step adds the current of one mode to an element; its response must not include another port's.
void refuse_elements_at_two_ports(const Model& model) {
  if (model.is_conforming || has_upwind_fluxes(model.problem.scheme)) return;
  std::vector<bool> takes_one(model.given.ports.size() + 1, false);
  for (const march::ModalTermination& port : model.problem.terminations)
    takes_one[static_cast<std::size_t>(port.wave)] = true;
  std::map<LocalIndex, std::int32_t> wave_of;
  for (const march::DrivenFace& face : model.problem.driven) {
    if (!takes_one[static_cast<std::size_t>(face.wave)]) continue;
    const auto known = wave_of.try_emplace(face.element, face.wave).first->second;
    if (known == face.wave) continue;
    const PortDescription& first = model.given.ports[static_cast<std::size_t>(std::min(known, face.wave)) - 1];
    const PortDescription& second = model.given.ports[static_cast<std::size_t>(std::max(known, face.wave)) - 1];
    fail(ExitCode::bad_case,
         "{}: error: ports '{}' and '{}' reflect all but their mode, and an element of the mesh has faces on both; "
         "refine the mesh between them, or set other_modes: absorb for one",
         second.place.text, first.name, second.name);
  }
}

}  // namespace

std::vector<FoundPort> set_up_ports(Model& model, ErrorList& errors, int threads, const comm::Communicator& ranks) {
  const std::size_t tags = model.given.port_tag_count();
  std::vector<LocalFaces> mine = results::find_port_faces(model.mesh, tags);
  const bool is_copied = tags < model.given.ports.size();
  if (is_copied) ranks.agree([&] { mine = sort_by_cells(model, mine); });
  const std::vector<results::MetalFace> metal = results::find_metal_faces(model.mesh, model.problem.walls);
  std::vector<FoundPort> found(tags);
  std::size_t done = 0;
  for (std::size_t tag = 0; tag < tags; ++tag) {
    PortPlace place = find_port(model.problem, mine[tag], metal, ranks);
    errors.collect([&] {
      found[tag].recipe = set_up_port(model, tag, place, ranks, found[tag].line);
      ++done;
    });
    found[tag].faces = std::move(place.faces);
    if (found[tag].line) found[tag].places.push_back(results::place_faces(found[tag].faces));
  }
  if (is_copied && done == tags) ranks.agree([&] { copy_ports(model, found, mine, threads); });
  if (done == tags) ranks.agree([&] { refuse_elements_at_two_ports(model); });
  return found;
}

results::PortModel make_port_model(const PortDescription& spec, const PortSummary& summary, double averaging_s) {
  results::PortModel model;
  model.name = spec.name;
  model.impedance_ohm = summary.impedance_ohm;
  model.voltage_scale = summary.voltage_scale;
  model.current_scale = summary.current_scale;
  model.refractive_index = summary.refractive_index;
  model.reference_plane_m = spec.reference_plane_m;
  model.one_mode = summary.takes_one_mode;
  model.returns_others = summary.is_quasi_tem && !summary.takes_one_mode;
  model.means_waves = summary.means_waves;
  if (spec.type != PortType::lumped && !model.one_mode) model.averaging_s = averaging_s;
  model.source_share = summary.source_share;
  model.inductance_h = spec.inductance_h;
  model.capacitance_f = spec.capacitance_f;
  if (spec.type == PortType::lumped) model.kind = results::PortModel::Kind::lumped;
  if (spec.type != PortType::rectangular_waveguide) return model;
  model.kind = results::PortModel::Kind::waveguide;
  model.tm = spec.mode.tm;
  model.cutoff_hz = summary.mode_cutoff_hz();
  return model;
}

}  // namespace tetrawave::modes
