#include "model/sheet_edges.hpp"

#include <algorithm>
#include <map>

#include "base/log.hpp"
#include "mesh/sheet_edges.hpp"
#include "terms/walls/edge_factors.hpp"

namespace tetrawave::modes {

namespace {

/// All constants of a medium times factors: its loss tangents are unchanged.
Medium scale_medium(Medium medium, const schemes::EdgeFactors& factors) {
  for (double* constant : {&medium.eps_r, &medium.sigma_e, &medium.chi3}) *constant *= factors.eps;
  for (double* constant : {&medium.mu_r, &medium.sigma_m}) *constant *= factors.mu;
  const auto scale = [](std::vector<PoleTerm>& terms, double factor) {
    for (PoleTerm& term : terms) {
      term.b0 *= factor;
      term.b1 *= factor;
    }
  };
  scale(medium.electric_poles, factors.eps);
  scale(medium.magnetic_poles, factors.mu);
  return medium;
}

/// Unless set in the case, those of the method.
schemes::EdgeFactors factors_of(const Model& model) {
  const march::Problem& problem = model.problem;
  const std::optional<double>& given = model.given.method.edge_factor;
  if (model.is_conforming)
    return given ? schemes::EdgeFactors{*given, 1 / *given} : schemes::edge_factors_of_edge_elements(problem.space);
  return given ? schemes::EdgeFactors{*given, *given}
               : schemes::edge_factors(problem.scheme, problem.space, problem.holds_metal);
}

/// Elements with the same shape are equal in everything; those at edges get separate shapes.
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

void find_metal_edges(Model& model, const comm::Communicator& ranks) {
  const bool may_take = !model.is_conforming && std::none_of(model.problem.media.begin(), model.problem.media.end(),
                                                             [](const Medium& medium) { return medium.chi3 > 0; });
  for (PortSpec& port : model.given.ports) port.may_take_one_mode = port.may_take_one_mode && may_take;
  std::vector<bool> is_metal;
  for (const march::Wall wall : model.boundaries.walls)
    is_metal.push_back(wall == march::Wall::electric || wall == march::Wall::conductor);
  model.edges = find_sheet_edges(model.mesh, is_metal, ranks);
  if (model.is_conforming) return;
  const SheetEdges& edges = model.edges;
  model.problem.holds_metal = model.given.method.holds_metal.value_or(!edges.is_near.empty());
  constexpr int layers = 2;  // theory/metal-edges
  if (model.problem.scheme == Scheme::dgtd_upwind && model.problem.holds_metal && !edges.is_near.empty())
    model.problem.undamped = find_faces_around(model.mesh, edges.is_near, layers, ranks);
  for (std::size_t p = 0; p < model.given.port_tag_count(); ++p) {
    PortSpec& port = model.given.ports[p];
    if (port.type == PortType::rectangular_waveguide) continue;  // by its band (port_setup.cpp)
    if (port.may_take_one_mode && !edges.ends_on.empty() && edges.ends_on[p]) {
      port.takes_one_mode = true;
      model.boundaries.walls[p] = march::Wall::one_mode;
    }
  }
}

std::vector<double> weigh_port(const Model& model, const std::vector<PortTriangle>& triangles, int degree) {
  if (!model.is_conforming || model.edges.vertices.empty()) return {};
  const auto is_on_edge = [&](GlobalIndex v) {
    return std::binary_search(model.edges.vertices.begin(), model.edges.vertices.end(), v);
  };
  const double factor = model.given.method.edge_factor.value_or(schemes::edge_factor_of_port(degree));
  std::vector<double> weights;
  for (const PortTriangle& triangle : triangles)
    weights.push_back(std::any_of(triangle.vertices.begin(), triangle.vertices.end(), is_on_edge) ? factor : 1);
  const bool all_one = std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; });
  return all_one ? std::vector<double>{} : weights;
}

void set_up_sheet_edges(Model& model) {
  march::Problem& problem = model.problem;
  const SheetEdges& edges = model.edges;
  if (edges.is_near.empty()) return;
  const schemes::EdgeFactors factors = factors_of(model);
  log::info("edges of metal sheets: {} elements with a corner there, eps times {:.4g}, mu times {:.4g}", edges.elements,
            factors.eps, factors.mu);
  if (factors.eps == 1 && factors.mu == 1) return;
  split_shapes(model.mesh, edges.is_near);
  const std::size_t regions = problem.media.size();
  for (std::size_t r = 0; r < regions; ++r) problem.media.push_back(scale_medium(problem.media[r], factors));
  problem.material = model.mesh.region;
  for (std::size_t e = 0; e < problem.material.size(); ++e)
    if (edges.is_near[e] != 0) problem.material[e] += static_cast<std::int32_t>(regions);
}

}  // namespace tetrawave::modes
