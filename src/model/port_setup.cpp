#include "model/port_setup.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "case/spec/highest_frequency.hpp"
#include "case/spec/requested_band.hpp"
#include "case/spec/waveguide_mode.hpp"
#include "model/sheet_edges.hpp"
#include "results/ports/ports.hpp"
#include "results/s_parameters/array_output.hpp"
#include "sources/ports/coaxial_port.hpp"
#include "sources/ports/modal_source.hpp"
#include "sources/ports/second_mode.hpp"
#include "sources/waveform.hpp"

namespace tetrawave::modes {

namespace {

/// Keeps the mode field of the port that was set up last; its name in results.h5 is that of the case, and for copies in
/// an array the first is kept.
void keep_mode(Model& model, const PortSpec& spec, const results::PortFaces& faces,
               const results::ModeProfiles& profiles, const std::string& type) {
  const std::string name = model.given.array ? results::name_in_cell(spec) : spec.name;
  auto& kept = *model.port_modes;
  if (std::any_of(kept.begin(), kept.end(), [&](const results::PortMode& mode) { return mode.port == name; })) return;
  const PortSummary& summary = model.ports.back();
  results::PortMode mode = results::make_port_mode(faces, profiles);
  mode.port = name;
  mode.type = type;
  mode.impedance_ohm = summary.impedance_ohm;
  mode.eps_effective = summary.eps_effective;
  mode.cutoff_hz = summary.mode_cutoff_per_m > 0 ? summary.mode_cutoff_hz() : summary.second_mode_hz;
  kept.push_back(std::move(mode));
}

results::PortRecipe::Profile profile_of(const TemMode& mode) {
  return [mode](std::size_t t, const std::array<double, 3>& l) { return mode.electric(t, l); };
}

/// The largest degree whose gradients are in the tangential traces of the space (k in mixed-k, k + 1 in full-k), up
/// to 3.
int potential_degree(Space space) {
  switch (space) {
    case Space::mixed_1:
      return 1;
    case Space::full_1:
    case Space::mixed_2:
      return 2;
    default:
      return 3;
  }
}

TemMode set_up_coaxial(Model& model, const PortSpec& spec, const results::PortFaces& faces, const Medium& medium,
                       int degree) {
  CoaxialPort port = make_coaxial_port(spec, faces.all, faces.normal, medium, degree);
  PortSummary& summary = model.ports.back();
  summary.radii_m = {port.inner_radius_m, port.outer_radius_m};
  summary.second_mode_hz =  // TE11, whose wavelength is about the mean circumference
      c0_m_per_s / (pi * (port.inner_radius_m + port.outer_radius_m) * summary.refractive_index);
  log::info("port {}: coaxial, radii {:.5g} and {:.5g} m, {:.4f} ohm, {} faces", spec.name, port.inner_radius_m,
            port.outer_radius_m, port.mode.impedance_ohm, faces.all.size());
  return std::move(port.mode);
}

results::PortRecipe set_up_tem(Model& model, const PortSpec& spec, const results::PortFaces& faces,
                               const std::vector<ConductorEdge>& metal, int degree) {
  const Case& given = model.given;
  if (!faces.is_outer())
    fail(ExitCode::bad_case, "{} lies inside the mesh; a tem port is an outer face", port_subject(spec));
  check_line_media(spec, faces.media);
  const auto signal = std::find_if(given.boundaries.begin(), given.boundaries.end(),
                                   [&](const BoundarySpec& boundary) { return boundary.group == spec.signal; });
  ensure(signal != given.boundaries.end(), "the signal of a port is one of boundaries.pec");
  const auto tag = static_cast<std::int32_t>(given.port_tag_count()) +
                   static_cast<std::int32_t>(signal - given.boundaries.begin());  // BoundaryTable
  const TemPort port = make_tem_port(spec, faces.all, faces.normal, metal, tag, model.boundaries.tags.names,
                                     faces.media, degree, weigh_port(model, faces.all, degree));
  PortSummary& summary = model.ports.back();
  summary.impedance_ohm = port.mode.impedance_ohm * summary.voltage_scale / summary.current_scale;
  summary.refractive_index = port.refractive_index;
  summary.eps_effective = port.eps_effective;
  const bool several =
      std::adjacent_find(faces.media.begin(), faces.media.end(), std::not_equal_to<>()) != faces.media.end();
  log::info("port {}: {}, signal {}, {:.4f} ohm, effective permittivity {:.5g}, {} faces", spec.name,
            several ? "quasi-TEM" : "tem", spec.signal, summary.impedance_ohm, port.eps_effective, faces.all.size());
  std::vector<PortEdge> edges;
  for (const ConductorEdge& item : metal) edges.push_back(item.edge);
  std::sort(edges.begin(), edges.end());
  summary.second_mode_hz = c0_m_per_s / (2 * pi) * find_second_cutoff_per_m(faces.all, edges, faces.media);
  const TemMode& of_current = port.is_mixed() ? port.vacuum : port.mode;
  keep_mode(model, spec, faces,
            {profile_of(port.mode), profile_of(of_current), of_current.norm_squared, port.mode.impedance_ohm}, "tem");
  if (spec.takes_one_mode)
    return results::make_modal_recipe(model.problem, faces.all, of_current,
                                      eta0_ohm / (port.mode.impedance_ohm * of_current.norm_squared));
  return port.is_mixed() ? results::make_mixed_recipe(model.problem, port)
                         : results::make_tem_recipe(model.problem, port.mode, faces.media.front());
}

/// A port with `auto` takes its mode alone in DGTD-Upwind, if no other propagates in the band: waves that the mesh does
/// not resolve remain between such ports in the other schemes (theory/ports).
void choose_other_modes(Model& model, std::size_t tag) {
  PortSpec& spec = model.given.ports[tag];
  if (!spec.may_take_one_mode || model.problem.scheme != Scheme::dgtd_upwind) return;
  spec.takes_one_mode = find_highest_frequency(model.given).hz < model.ports.back().second_mode_hz;
  if (spec.takes_one_mode) model.boundaries.walls[tag] = model.problem.walls[tag] = march::Wall::one_mode;
}

results::PortRecipe set_up_waveguide(Model& model, std::size_t tag, const results::PortFaces& faces,
                                     const std::vector<ConductorEdge>& metal, const Medium& medium,
                                     const comm::Communicator& ranks) {
  const PortSpec& spec = model.given.ports[tag];
  std::vector<PortEdge> edges;
  for (const ConductorEdge& item : metal) edges.push_back(item.edge);
  const WaveguidePort port = make_waveguide_port(spec, faces.all, faces.normal, edges);
  PortSummary& summary = model.ports.back();
  summary.mode_cutoff_per_m = port.cutoff_per_m;
  summary.second_mode_hz = c0_m_per_s * port.second_cutoff_per_m / (2 * pi * summary.refractive_index);
  choose_other_modes(model, tag);
  summary.takes_one_mode = spec.takes_one_mode;
  summary.impedance_ohm = eta0_ohm * medium.impedance();
  log::info("port {}: rectangular waveguide {:.5g} by {:.5g} m, {}, cutoff {:.5g} GHz, {} faces", spec.name,
            port.shape.a_m, port.shape.b_m, name_of(port.mode), summary.mode_cutoff_hz() / 1e9, faces.all.size());
  results::PortRecipe recipe =
      results::make_waveguide_recipe(model.problem, faces, port, medium, spec.takes_one_mode, ranks);
  const double norm = std::ldexp(1.0, -spec.magnetic_planes);  // the mode's is 1 on the whole of the rectangle
  keep_mode(model, spec, faces, {recipe.profile, recipe.profile, norm, summary.impedance_ohm / norm},
            "rectangular-waveguide " + name_of(port.mode));
  return recipe;
}

results::PortRecipe set_up_lumped(Model& model, const PortSpec& spec, const results::PortFaces& faces,
                                  std::int32_t tag) {
  const std::string subject = port_subject(spec);
  if (!faces.is_inner() && !faces.is_outer())
    fail(ExitCode::bad_case, "{} is partly inside and partly outside; a lumped port is one or the other", subject);
  const bool reactive = spec.inductance_h > 0 || spec.capacitance_f > 0;
  const char* name = spec.inductance_h > 0 ? "an inductance" : "a capacitance";
  if (reactive && model.problem.scheme != Scheme::dgtd_central)
    fail(ExitCode::bad_case, "{} has {}, which only scheme dgtd-central supports", subject, name);
  if (reactive && !faces.is_inner())
    fail(ExitCode::bad_case, "{} has {} and is an outer face; put the patch inside the mesh", subject, name);
  const double face_share = model.ports.back().current_scale / model.ports.back().voltage_scale;
  PortSpec of_face = spec;
  of_face.resistance_ohm *= face_share;
  of_face.inductance_h *= face_share;
  of_face.capacitance_f /= face_share;
  const LumpedPort port = make_lumped_port(of_face, faces.all, faces.normal, potential_degree(model.problem.space));
  model.ports.back().impedance_ohm = spec.resistance_ohm;
  model.problem.wall_ohms[static_cast<std::size_t>(tag)] = port.sheet_ohms();
  log::info("port {}: lumped, {:.6g} ohm over a length of {:.5g} m and a width of {:.5g} m, {} faces", spec.name,
            spec.resistance_ohm, port.length_m, port.width_m, faces.all.size());
  results::PortRecipe recipe = results::make_lumped_recipe(model.problem, faces, port, of_face, tag);
  model.ports.back().source_share = recipe.source_share;
  return recipe;
}

/// Half of the current at a magnetic plane, half of the voltage at an electric one. A waveguide's voltage and current
/// belong to a mode of norm 1: both are scaled by the root of the power.
void set_scales(PortSummary& summary, const PortSpec& spec) {
  summary.voltage_scale = std::ldexp(1.0, spec.electric_planes);
  summary.current_scale = std::ldexp(1.0, spec.magnetic_planes);
  if (spec.type == PortType::rectangular_waveguide)
    summary.voltage_scale = summary.current_scale = std::sqrt(summary.voltage_scale * summary.current_scale);
}

/// The faces of a coaxial or tem port for its mode: without small losses, at mid-band.
results::PortFaces faces_of_mode(const Case& given, const PortSpec& spec, const results::PortFaces& faces) {
  results::PortFaces result = faces;
  const std::optional<Band> band = requested_band(given);
  if (!band) return result;
  const double hz = band->middle_hz();
  double largest = 0;
  for (Medium& medium : result.media) {
    const Medium lossless = without_small_losses(medium, hz);
    if (lossless == medium) continue;
    const ComplexConstants at = constants_at(medium, hz);
    largest = std::max({largest, -at.eps.imag() / at.eps.real(), -at.mu.imag() / at.mu.real()});
    medium = lossless;
  }
  if (largest > 0)
    log::info(
        "port {}: its medium has a loss tangent of {:.3g} at {:.4g} GHz; its mode is that of the lossless medium, "
        "which reflects up to {:.2g} of a wave",
        spec.name, largest, hz / 1e9, largest / 4);
  return result;
}

results::PortRecipe set_up_line(Model& model, const PortSpec& spec, const results::PortFaces& faces,
                                const std::vector<ConductorEdge>& metal) {
  const int degree = potential_degree(model.given.method.basis);
  if (spec.type == PortType::tem) return set_up_tem(model, spec, faces, metal, degree);
  const Medium medium = port_medium(spec, faces.media);
  PortSummary& summary = model.ports.back();
  summary.refractive_index = std::sqrt(medium.eps_r * medium.mu_r);
  const TemMode mode = set_up_coaxial(model, spec, faces, medium, degree);
  summary.impedance_ohm = mode.impedance_ohm;
  keep_mode(model, spec, faces,
            {profile_of(mode), profile_of(mode), mode.norm_squared, eta0_ohm * medium.impedance() / mode.norm_squared},
            "coaxial");
  return spec.takes_one_mode ? results::make_modal_recipe(model.problem, faces.all, mode, 1 / medium.impedance())
                             : results::make_tem_recipe(model.problem, mode, medium);
}

/// Finds the port with boundary tag `tag`, which is its number, on its faces, and adds its summary.
results::PortRecipe set_up_port(Model& model, std::size_t tag, const results::PortFaces& faces,
                                const std::vector<ConductorEdge>& metal, const comm::Communicator& ranks) {
  const Case& given = model.given;
  const PortSpec& spec = given.ports[tag];
  if (faces.all.empty())
    fail(ExitCode::bad_case, "{}: error: port '{}': the face group '{}' of the mesh has no faces",
         spec.boundary_place.text, spec.name, spec.boundary);
  model.ports.push_back({spec.name, 0, faces.all.size(), {}, 1});
  set_scales(model.ports.back(), spec);
  model.ports.back().takes_one_mode = spec.takes_one_mode;
  if (spec.type == PortType::lumped) return set_up_lumped(model, spec, faces, static_cast<std::int32_t>(tag));
  if (spec.type == PortType::rectangular_waveguide) {
    const Medium medium = port_medium(spec, faces.media);
    model.ports.back().refractive_index = std::sqrt(medium.eps_r * medium.mu_r);
    return set_up_waveguide(model, tag, faces, metal, medium, ranks);
  }
  const results::PortFaces of_mode = faces_of_mode(given, spec, faces);
  results::PortRecipe recipe = set_up_line(model, spec, of_mode, metal);
  if (recipe.admittance.empty() && !recipe.termination && of_mode.media != faces.media)
    recipe.admittance.assign(faces.all.size(), 1 / of_mode.media.front().impedance());
  return recipe;
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
void copy_ports(Model& model, const std::vector<FoundPort>& found, const std::vector<LocalFaces>& faces, int threads) {
  const auto& [grid, elements] = *model.array;
  const ArrayGrid::Cell first{1, 1};
  const std::size_t count = model.given.ports.size() - found.size();
  std::vector<results::PlacedPort> placed(count);
  for_each_task(count, threads, [&](std::size_t k) {
    const std::size_t p = found.size() + k;
    const auto cell = static_cast<std::int64_t>(p / found.size());
    const ArrayGrid::Cell place{1 + cell / grid.size[1], 1 + cell % grid.size[1]};
    const auto& [of_first, recipe] = found[p % found.size()];
    const auto its = results::place_copy(of_first, model.mesh, faces[p], elements.first(place) - elements.first(first),
                                         grid.shift(place));
    placed[k] = results::make_placed_port(model.problem, its, recipe, static_cast<std::int32_t>(p) + 1);
  });
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t p = found.size() + k;
    results::add_port(model.problem, std::move(placed[k]), found[p % found.size()].recipe,
                      static_cast<std::int32_t>(p) + 1);
    model.ports.push_back(model.ports[p % found.size()]);
    model.ports.back().name = model.given.ports[p].name;
  }
  log::info("array: {} ports, those of cell (0, 0) in every antenna cell", model.ports.size());
}

/// A leap-frog step adds the current of one mode to an element; its response must not include another port's.
void refuse_elements_at_two_ports(const Model& model) {
  if (model.problem.scheme == Scheme::dgtd_upwind) return;
  std::vector<bool> takes_one(model.given.ports.size() + 1, false);
  for (const march::ModalTermination& port : model.problem.terminations)
    takes_one[static_cast<std::size_t>(port.wave)] = true;
  std::map<LocalIndex, std::int32_t> wave_of;
  for (const march::DrivenFace& face : model.problem.driven) {
    if (!takes_one[static_cast<std::size_t>(face.wave)]) continue;
    const auto known = wave_of.try_emplace(face.element, face.wave).first->second;
    if (known == face.wave) continue;
    const PortSpec& first = model.given.ports[static_cast<std::size_t>(std::min(known, face.wave)) - 1];
    const PortSpec& second = model.given.ports[static_cast<std::size_t>(std::max(known, face.wave)) - 1];
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
  std::vector<FoundPort> found(tags);
  std::size_t done = 0;
  for (std::size_t tag = 0; tag < tags; ++tag) {
    found[tag].faces = results::collect_port_faces(model.mesh, mine[tag], model.problem.media, ranks);
    const auto metal = results::collect_port_metal(model.mesh, model.problem.walls, found[tag].faces, ranks);
    errors.collect([&] {
      const results::PortRecipe& recipe = found[tag].recipe = set_up_port(model, tag, found[tag].faces, metal, ranks);
      model.ports.back().means_waves = recipe.termination.has_value() && recipe.current != 0;
      results::place_port(model.problem, results::place_faces(found[tag].faces), found[tag].recipe,
                          static_cast<std::int32_t>(tag) + 1);
      ++done;
    });
  }
  if (is_copied && done == tags) ranks.agree([&] { copy_ports(model, found, mine, threads); });
  if (done == tags) ranks.agree([&] { refuse_elements_at_two_ports(model); });
  return found;
}

results::PortModel make_port_model(const PortSpec& spec, const PortSummary& summary, double averaging_s) {
  results::PortModel model;
  model.name = spec.name;
  model.impedance_ohm = summary.impedance_ohm;
  model.voltage_scale = summary.voltage_scale;
  model.current_scale = summary.current_scale;
  model.refractive_index = summary.refractive_index;
  model.reference_plane_m = spec.reference_plane_m;
  model.one_mode = summary.takes_one_mode;
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
