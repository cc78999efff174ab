#include "modes/sheet_edges.hpp"

#include <algorithm>
#include <map>

#include "base/log.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "mesh/sheet_edges.hpp"
#include "schemes/edge_factors.hpp"

namespace tetrawave::modes {

namespace {

/// All constants of a medium times a factor: its wave impedance and loss tangent stay.
Medium scale_medium(Medium medium, double factor) {
  for (double* constant : {&medium.eps_r, &medium.mu_r, &medium.sigma_e, &medium.sigma_m, &medium.chi3})
    *constant *= factor;
  for (auto* terms : {&medium.electric_poles, &medium.magnetic_poles})
    for (PoleTerm& term : *terms) {
      term.b0 *= factor;
      term.b1 *= factor;
    }
  return medium;
}

/// Elements with the same shape are the same in all else; those at edges get shapes of their own.
void split_shapes(LocalMesh& mesh, const std::vector<std::uint8_t>& at_edge) {
  std::map<std::int32_t, std::int32_t> of_edge;
  for (std::size_t e = 0; e < mesh.shape.size(); ++e) {
    if (at_edge[e] == 0) continue;
    const auto [found, is_new] =
        of_edge.try_emplace(mesh.shape[e], static_cast<std::int32_t>(mesh.shape_corners.size()));
    if (is_new) mesh.shape_corners.push_back(mesh.shape_corners[static_cast<std::size_t>(mesh.shape[e])]);
    mesh.shape[e] = found->second;
  }
}

/// Of the resonance of a strip two elements wide, by which it is too low (tests/README.md).
double error_of_narrow_strips(Space space) {
  if (space == Space::mixed_1) return 8;
  return basis::reference_element(space).degree == 1 || space == Space::mixed_2 ? 3 : 1;
}

/// Sheets that have hardly a face away from their edges.
void warn_of_narrow_strips(const TimeDomainSetup& setup, const SheetEdges& edges) {
  for (std::size_t tag = 0; tag < edges.faces.size(); ++tag)
    if (edges.faces[tag] >= 16 && 20 * edges.inside[tag] < edges.faces[tag])
      log::warning(
          "{}: its strips are one or two elements wide, too few for the fields at edges of metal: resonances come out "
          "low by about {:g} percent with {}; use elements of a quarter of the width, or a higher degree",
          setup.boundaries.tags.names[tag], error_of_narrow_strips(setup.problem.space), name_of(setup.problem.space));
}

}  // namespace

SheetEdges find_metal_edges(TimeDomainSetup& setup, const comm::Communicator& ranks) {
  const bool may_take =
      setup.given.mode == Mode::time_domain && std::none_of(setup.problem.media.begin(), setup.problem.media.end(),
                                                            [](const Medium& medium) { return medium.chi3 > 0; });
  for (PortSpec& port : setup.given.ports) port.may_take_one_mode = port.may_take_one_mode && may_take;
  if (setup.given.mode != Mode::time_domain) return {};
  std::vector<bool> is_metal;
  for (const march::Wall wall : setup.boundaries.walls)
    is_metal.push_back(wall == march::Wall::electric || wall == march::Wall::conductor);
  SheetEdges edges = find_sheet_edges(setup.mesh, is_metal, ranks);
  setup.problem.holds_metal = setup.given.method.holds_metal.value_or(!edges.is_near.empty());
  constexpr int layers = 2;  // THEORY.md 35
  if (setup.problem.scheme == Scheme::dgtd_upwind && setup.problem.holds_metal && !edges.is_near.empty())
    setup.problem.undamped = find_faces_around(setup.mesh, edges.is_near, layers, ranks);
  for (std::size_t p = 0; p < setup.given.port_tag_count(); ++p) {
    PortSpec& port = setup.given.ports[p];
    if (port.type == PortType::rectangular_waveguide) continue;  // by its band (port_setup.cpp)
    if (port.may_take_one_mode && !edges.ends_on.empty() && edges.ends_on[p]) {
      port.takes_one_mode = true;
      setup.boundaries.walls[p] = march::Wall::one_mode;
    }
  }
  return edges;
}

void set_up_sheet_edges(TimeDomainSetup& setup, const SheetEdges& edges) {
  march::Problem& problem = setup.problem;
  if (edges.is_near.empty()) return;
  const double factor =
      setup.given.method.edge_factor.value_or(schemes::edge_factor(problem.scheme, problem.space, problem.holds_metal));
  log::info("edges of metal sheets: {} elements with a corner there, eps and mu times {:.4g}", edges.elements, factor);
  warn_of_narrow_strips(setup, edges);
  if (factor == 1) return;
  split_shapes(setup.mesh, edges.is_near);
  const std::size_t regions = problem.media.size();
  for (std::size_t r = 0; r < regions; ++r) problem.media.push_back(scale_medium(problem.media[r], factor));
  problem.material = setup.mesh.region;
  for (std::size_t e = 0; e < problem.material.size(); ++e)
    if (edges.is_near[e] != 0) problem.material[e] += static_cast<std::int32_t>(regions);
}

}  // namespace tetrawave::modes
