#include "model/check/power_balance.hpp"

#include <algorithm>
#include <vector>

#include "base/scheme.hpp"
#include "base/text/format.hpp"
#include "base/text/suggest.hpp"

namespace tetrawave::modes {

namespace {

/// Coaxial and TEM ports, or waveguides, with an open wall, which also absorbs what is not their mode.
std::vector<std::string> open_ports(const Case& given, bool guides) {
  std::vector<std::string> names;
  for (const PortDescription& port : given.ports)
    if (port.type != PortType::lumped && (port.type == PortType::rectangular_waveguide) == guides &&
        !port.takes_one_mode)
      names.push_back(port.name);
  return names;
}

/// Of quasi-TEM ports with an open wall: the wave of a dispersive line is not their static mode, on any mesh.
std::string cause_of_static_modes(const Model& model) {
  std::vector<std::string> names;
  for (const PortSummary& port : model.ports)
    if (port.is_quasi_tem && !port.takes_one_mode && !port.follows_line) names.push_back(port.name);
  if (names.empty()) return "";
  return tetrawave::format(
      "ports {} absorb the part of the wave outside their static mode over several media, "
      "which grows with frequency on any mesh: use other_modes: reflect, which couples them to "
      "their mode alone; else ",
      list_names(names));
}

/// Whether nothing but ports of one mode takes what the scheme does not damp.
bool is_undamped(const Case& given) {
  return !given.ports.empty() && std::all_of(given.ports.begin(), given.ports.end(),
                                             [](const PortDescription& port) { return port.takes_one_mode; });
}

/// What is lacking at waveguides by space (tests/README.md, cases from users).
constexpr const char* of_guides =
    " (WR-90 with an iris, elements of 4.5 mm: up to 6 % is lacking in full-1, 1.5 % in mixed-2, 0.5 % in full-2, 1 % "
    "in full-1 with dfdd-eld, 0.1 % in mode frequency-domain)";

/// At guides and in finite elements, whose ports take evanescent waves too.
constexpr const char* of_near_fields =
    "; or near fields of the structure reach a port, which absorbs them: place the ports farther from discontinuities";

std::string likely_cause(const Model& model) {
  const Case& given = model.given;
  const std::string coarse = "the mesh is coarse at the ports or at edges of metal: refine it there";
  if (model.is_conforming) {
    constexpr double rough = 1e-6;
    const std::string others = cause_of_static_modes(model) + coarse + of_near_fields;
    if (given.solver.method == SolverMethod::direct || given.solver.tolerance <= rough) return others;
    return tetrawave::format("the iterative solver stops at a residual of {:g}: lower solver.tolerance; else {}",
                             given.solver.tolerance, others);
  }
  const std::vector<std::string> ports = open_ports(given, false), guides = open_ports(given, true);
  const Scheme scheme = given.method.scheme;
  const bool is_upwind = has_upwind_fluxes(scheme), is_central = has_central_fluxes(scheme);
  const bool at_guides = std::any_of(model.ports.begin(), model.ports.end(),
                                     [](const PortSummary& port) { return port.mode_cutoff_per_m > 0; });
  if (is_upwind)
    return tetrawave::format(
        "upwind flux dissipates power at jumps between elements: use a higher degree or smaller elements{}{}",
        at_guides ? of_guides : ", or method.scheme: dgtd-central", guides.empty() ? "" : of_near_fields);
  if (is_undamped(given))
    return "waves that the mesh does not resolve, which neither the flux nor single-mode ports "
           "absorb, store energy: use smaller elements everywhere, a higher degree, method.scheme: "
           "dgtd-upwind, or other_modes: absorb";
  if (!ports.empty())
    return tetrawave::format(
        "ports {} absorb all fields outside their mode: waves that the mesh does not resolve (use a higher degree or "
        "smaller elements, at edges of metal too), and near fields of the structure (place the ports farther from "
        "discontinuities); other_modes: reflect keeps both, and the former ring for long",
        list_names(ports));
  if (!guides.empty())
    return tetrawave::format(
        "the mesh scatters part of the waves into waves that it does not resolve, which the open "
        "walls of ports {} absorb: use a higher degree, smaller elements everywhere{}, or mode "
        "frequency-domain{}{}",
        list_names(guides), is_central ? ", method.scheme: dfdd-eld" : "", of_guides, of_near_fields);
  return coarse;
}

}  // namespace

results::PowerBalance find_power_balance(const Model& model) {
  results::PowerBalance balance;
  const auto& media = model.problem.media;
  balance.is_lossless = std::all_of(media.begin(), media.end(), [](const Medium& medium) {
    return medium.is_lossless() && !medium.is_dispersive() && medium.chi3 == 0;
  });
  bool radiates = model.problem.layers.has_value() || !model.given.iiee.outer.empty();
  for (std::size_t tag = model.given.port_tag_count(); tag < model.boundaries.walls.size(); ++tag) {
    if (model.summary.tag_area_m2[tag] == 0) continue;
    const march::Wall wall = model.boundaries.walls[tag];
    if (march::has_loss(wall)) balance.is_lossless = false;
    if (march::is_open(wall)) radiates = true;
  }
  balance.is_closed = balance.is_lossless && !radiates;
  if (balance.is_lossless) balance.cause = likely_cause(model);
  for (const PortSummary& port : model.ports)
    if (port.second_mode_hz > 0 && (balance.second_mode_hz == 0 || port.second_mode_hz < balance.second_mode_hz))
      balance.second_mode_hz = port.second_mode_hz;
  return balance;
}

}  // namespace tetrawave::modes
