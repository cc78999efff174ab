#include "modes/sheet_edges.hpp"

#include <algorithm>
#include <map>

#include "base/log.hpp"
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

}  // namespace

SheetEdges find_metal_edges(TimeDomainSetup& setup, const comm::Communicator& ranks) {
  if (setup.given.mode != Mode::time_domain) return {};
  std::vector<bool> is_metal;
  for (const march::Wall wall : setup.boundaries.walls)
    is_metal.push_back(wall == march::Wall::electric || wall == march::Wall::conductor);
  SheetEdges edges = find_sheet_edges(setup.mesh, is_metal, ranks);
  setup.problem.holds_metal = setup.given.method.holds_metal.value_or(!edges.is_near.empty());
  const bool may_take = setup.problem.scheme == Scheme::dgtd_central &&
                        std::none_of(setup.problem.media.begin(), setup.problem.media.end(),
                                     [](const Medium& medium) { return medium.chi3 > 0; });
  for (std::size_t p = 0; p < setup.given.port_tag_count(); ++p) {
    PortSpec& port = setup.given.ports[p];
    if (may_take && port.may_take_one_mode && !edges.ends_on.empty() && edges.ends_on[p]) {
      port.takes_one_mode = true;
      setup.boundaries.walls[p] = march::Wall::magnetic;
    }
  }
  return edges;
}

void set_up_sheet_edges(TimeDomainSetup& setup, const SheetEdges& edges) {
  march::Problem& problem = setup.problem;
  if (edges.is_near.empty()) return;
  const double factor = setup.given.method.edge_factor.value_or(schemes::edge_factor(problem.scheme, problem.space));
  log::info("edges of metal sheets: {} elements with a corner there, eps and mu times {:.4g}", edges.elements, factor);
  if (factor == 1) return;
  split_shapes(setup.mesh, edges.is_near);
  const std::size_t regions = problem.media.size();
  for (std::size_t r = 0; r < regions; ++r) problem.media.push_back(scale_medium(problem.media[r], factor));
  problem.material = setup.mesh.region;
  for (std::size_t e = 0; e < problem.material.size(); ++e)
    if (edges.is_near[e] != 0) problem.material[e] += static_cast<std::int32_t>(regions);
}

}  // namespace tetrawave::modes
