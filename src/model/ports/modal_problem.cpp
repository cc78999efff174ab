#include "model/ports/modal_problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/scheme.hpp"
#include "basis/functions.hpp"
#include "sources/ports/coaxial_port.hpp"
#include "sources/ports/port_description.hpp"
#include "sources/ports/second_mode.hpp"

namespace tetrawave::modes {

double PortSummary::mode_cutoff_hz() const { return c0_m_per_s * mode_cutoff_per_m / (2 * pi * refractive_index); }

PortPlace find_port(const march::Problem& problem, std::vector<results::LocalPortFace> mine,
                    const std::vector<results::MetalFace>& metal, const comm::Communicator& ranks) {
  PortPlace place;
  place.faces = results::collect_port_faces(*problem.mesh, std::move(mine), problem.media, ranks);
  place.metal = results::collect_port_metal(*problem.mesh, metal, place.faces, ranks);
  return place;
}

int potential_degree(Space space) { return std::min(3, basis::potential_degree_of(space)); }

namespace {

/// Half of the current at a magnetic plane, half of the voltage at an electric one. A waveguide's voltage and current
/// belong to a mode of norm 1: both are scaled by the root of the power.
void set_scales(PortSummary& summary, const PortDescription& spec) {
  summary.voltage_scale = std::ldexp(1.0, spec.electric_planes);
  summary.current_scale = std::ldexp(1.0, spec.magnetic_planes);
  if (spec.type == PortType::rectangular_waveguide)
    summary.voltage_scale = summary.current_scale = std::sqrt(summary.voltage_scale * summary.current_scale);
}

/// The faces of a coaxial or tem port for its mode: laminates without small losses, at mid-band.
results::PortFaces faces_of_mode(const PortConditions& conditions, const results::PortFaces& faces) {
  results::PortFaces result = faces;
  if (!conditions.band) return result;
  const double hz = conditions.band->middle_hz();
  double largest = 0;
  const std::vector<Medium>& laminates = conditions.laminates;
  for (Medium& medium : result.media) {
    if (std::find(laminates.begin(), laminates.end(), medium) == laminates.end()) continue;
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
        conditions.spec.name, largest, hz / 1e9, largest / 4);
  return result;
}

void set_medium(SolvedPort& solved, const Medium& medium) {
  solved.medium = medium;
  solved.summary.refractive_index = std::sqrt(medium.eps_r * medium.mu_r);
}

std::vector<PortEdge> edges_of(const std::vector<ConductorEdge>& metal) {
  std::vector<PortEdge> edges;
  for (const ConductorEdge& item : metal) edges.push_back(item.edge);
  return edges;
}

void solve_coaxial(const PortConditions& conditions, SolvedPort& solved) {
  const PortDescription& spec = conditions.spec;
  const results::PortFaces& faces = solved.of_mode;
  set_medium(solved, port_medium(spec, faces.media));
  CoaxialPort port =
      make_coaxial_port(spec, faces.all, faces.normal, solved.medium, potential_degree(conditions.space));
  PortSummary& summary = solved.summary;
  summary.radii_m = {port.inner_radius_m, port.outer_radius_m};
  summary.second_mode_hz =  // TE11, whose wavelength is about the mean circumference
      c0_m_per_s / (pi * (port.inner_radius_m + port.outer_radius_m) * summary.refractive_index);
  log::info("port {}: coaxial, radii {:.5g} and {:.5g} m, {:.4f} ohm, {} faces", spec.name, port.inner_radius_m,
            port.outer_radius_m, port.mode.impedance_ohm, faces.all.size());
  summary.impedance_ohm = port.mode.impedance_ohm;
  summary.facets_ohm = eta0_ohm * solved.medium.impedance() / port.mode.norm_squared;
  solved.mode = std::move(port.mode);
}

void solve_tem(const PortConditions& conditions, const PortPlace& place, SolvedPort& solved) {
  const PortDescription& spec = conditions.spec;
  const results::PortFaces& faces = solved.of_mode;
  if (!faces.is_outer())
    fail(ExitCode::bad_case, "{} lies inside the mesh; a tem port is an outer face", port_subject(spec));
  check_line_media(spec, faces.media);
  TemPort port = make_tem_port(spec, faces.all, faces.normal, place.metal, conditions.signal, *conditions.tag_names,
                               faces.media, potential_degree(conditions.space), conditions.weights);
  PortSummary& summary = solved.summary;
  summary.impedance_ohm = port.mode.impedance_ohm * summary.voltage_scale / summary.current_scale;
  summary.refractive_index = port.refractive_index;
  summary.eps_effective = port.eps_effective;
  summary.is_quasi_tem =
      std::adjacent_find(faces.media.begin(), faces.media.end(), std::not_equal_to<>()) != faces.media.end();
  log::info("port {}: {}, signal {}, {:.4f} ohm, effective permittivity {:.5g}, {} faces", spec.name,
            summary.is_quasi_tem ? "quasi-TEM" : "tem", spec.signal, summary.impedance_ohm, port.eps_effective,
            faces.all.size());
  std::vector<PortEdge> edges = edges_of(place.metal);
  std::sort(edges.begin(), edges.end());
  summary.second_mode_hz = c0_m_per_s / (2 * pi) * find_second_cutoff_per_m(faces.all, edges, faces.media);
  solved.mode = std::move(port);
}

void solve_waveguide(const PortConditions& conditions, const PortPlace& place, SolvedPort& solved) {
  const PortDescription& spec = conditions.spec;
  const results::PortFaces& faces = place.faces;
  set_medium(solved, port_medium(spec, faces.media));
  const WaveguidePort port = make_waveguide_port(spec, faces.all, faces.normal, edges_of(place.metal));
  PortSummary& summary = solved.summary;
  summary.mode_cutoff_per_m = port.cutoff_per_m;
  summary.second_mode_hz = c0_m_per_s * port.second_cutoff_per_m / (2 * pi * summary.refractive_index);
  // A port with `auto` takes its mode alone in DGTD-Upwind, if no other propagates in the band: waves that the mesh
  // does not resolve remain between such ports in the other schemes (theory/ports).
  if (spec.may_take_one_mode && has_upwind_fluxes(conditions.scheme))
    summary.takes_one_mode = conditions.highest_hz < summary.second_mode_hz;
  summary.impedance_ohm = eta0_ohm * solved.medium.impedance();
  log::info("port {}: rectangular waveguide {:.5g} by {:.5g} m, {}, cutoff {:.5g} GHz, {} faces", spec.name,
            port.shape.a_m, port.shape.b_m, name_of(port.mode), summary.mode_cutoff_hz() / 1e9, faces.all.size());
  solved.mode = port;
}

/// An end of a patch, along its current, that touches no metal: "positive", "negative" or none.
std::string find_loose_end(const PortPlace& place, const Vec3& along) {
  const std::map<GlobalIndex, Vec3> points = points_of(place.faces.all);
  const auto height = [&](GlobalIndex vertex) { return dot(points.at(vertex), along); };
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& [vertex, point] : points) {
    low = std::min(low, dot(point, along));
    high = std::max(high, dot(point, along));
  }
  const auto has_metal = [&](double at) {
    return std::any_of(place.metal.begin(), place.metal.end(), [&](const ConductorEdge& item) {
      const auto is_there = [&](GlobalIndex vertex) { return std::abs(height(vertex) - at) < 0.01 * (high - low); };
      return std::any_of(item.edge.begin(), item.edge.end(), is_there);
    });
  };
  if (!has_metal(high)) return "positive";
  return has_metal(low) ? "" : "negative";
}

void solve_lumped(const PortConditions& conditions, const PortPlace& place, SolvedPort& solved) {
  const PortDescription& spec = conditions.spec;
  const results::PortFaces& faces = place.faces;
  const std::string subject = port_subject(spec);
  if (!faces.is_inner() && !faces.is_outer())
    fail(ExitCode::bad_case, "{} is partly inside and partly outside; a lumped port is one or the other", subject);
  const bool reactive = spec.inductance_h > 0 || spec.capacitance_f > 0;
  const char* name = spec.inductance_h > 0 ? "an inductance" : "a capacitance";
  if (reactive && !faces.is_inner())
    fail(ExitCode::bad_case, "{} has {} and is an outer face; put the patch inside the mesh", subject, name);
  const double face_share = solved.summary.current_scale / solved.summary.voltage_scale;
  PortDescription of_face = spec;
  of_face.resistance_ohm *= face_share;
  of_face.inductance_h *= face_share;
  of_face.capacitance_f /= face_share;
  const LumpedFace& face = solved.mode.emplace<LumpedFace>(
      LumpedFace{make_lumped_port(of_face, faces.all, faces.normal, potential_degree(conditions.space)), of_face});
  solved.summary.impedance_ohm = spec.resistance_ohm;
  if (spec.direction) solved.summary.loose_end = find_loose_end(place, *spec.direction);
  log::info("port {}: lumped, {:.6g} ohm over a length of {:.5g} m and a width of {:.5g} m, {} faces", spec.name,
            spec.resistance_ohm, face.port.length_m, face.port.width_m, faces.all.size());
}

}  // namespace

SolvedPort solve_port(const PortConditions& conditions, const PortPlace& place) {
  const PortDescription& spec = conditions.spec;
  if (place.faces.all.empty())
    fail(ExitCode::bad_case, "{}: error: port '{}': the face group '{}' of the mesh has no faces",
         spec.boundary_place.text, spec.name, spec.boundary);
  SolvedPort solved;
  solved.summary.name = spec.name;
  solved.summary.faces = place.faces.all.size();
  solved.summary.takes_one_mode = spec.takes_one_mode;
  set_scales(solved.summary, spec);
  if (spec.type == PortType::coaxial || spec.type == PortType::tem)
    solved.of_mode = faces_of_mode(conditions, place.faces);
  switch (spec.type) {
    case PortType::coaxial:
      solve_coaxial(conditions, solved);
      break;
    case PortType::tem:
      solve_tem(conditions, place, solved);
      break;
    case PortType::rectangular_waveguide:
      solve_waveguide(conditions, place, solved);
      break;
    case PortType::lumped:
      solve_lumped(conditions, place, solved);
      break;
    case PortType::parallel_plate:  // of plane problems (modes/planar), refused here by case/check
      break;
  }
  return solved;
}

}  // namespace tetrawave::modes
