#include "model/sheet_edges.hpp"

#include <algorithm>
#include <array>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "mesh/sheet_edges.hpp"
#include "mesh/solid_edges.hpp"
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
    return given ? schemes::EdgeFactors{*given, 1 / *given}
                 : schemes::edge_factors_of_edge_elements(model.given.method.basis);
  return given ? schemes::EdgeFactors{*given, *given}
               : schemes::edge_factors(problem.scheme, problem.space, problem.holds_metal);
}

schemes::EdgeFactors at_level(const Model& model, const schemes::EdgeFactors& of_sheet, std::size_t level) {
  const march::Problem& problem = model.problem;
  const double power = model.is_conforming
                           ? schemes::solid_edge_power_of_edge_elements(model.given.method.basis)
                           : schemes::solid_edge_power(problem.scheme, problem.space, problem.holds_metal);
  return schemes::edge_factors_of_solid(of_sheet, static_cast<double>(level) / SolidEdges::levels, power);
}

/// Elements with the same shape are equal in everything; those at edges get separate shapes. `kinds`: their number.
void split_shapes(LocalMesh& mesh, const std::vector<std::int32_t>& kind, std::size_t kinds) {
  std::vector<std::int32_t> of_edge(mesh.shape_corners.size() * kinds, -1);
  for (std::size_t e = 0; e < mesh.shape.size(); ++e) {
    if (kind[e] == 0) continue;
    const auto shape = static_cast<std::size_t>(mesh.shape[e]);
    std::int32_t& own = of_edge[shape * kinds + static_cast<std::size_t>(kind[e])];
    if (own < 0) {
      own = static_cast<std::int32_t>(mesh.shape_corners.size());
      mesh.shape_corners.push_back(mesh.shape_corners[shape]);
    }
    mesh.shape[e] = own;
  }
}

/// Kinds of elements at edges, each with factors of its own: 0 at none, 1 at a sheet's, then by level of solid metal.
struct EdgeKinds {
  std::vector<schemes::EdgeFactors> factors{{}};  ///< per kind
  std::vector<std::int32_t> of_element{};
};

EdgeKinds find_kinds(const Model& model, int threads, const comm::Communicator& ranks) {
  const SheetEdges& sheets = model.edges;
  const SolidEdges& solids = model.solid_edges;
  EdgeKinds kinds;
  const schemes::EdgeFactors of_sheet = factors_of(model);
  kinds.factors.push_back(of_sheet);
  std::array<std::int32_t, SolidEdges::levels> of_level{};
  std::array<std::int64_t, SolidEdges::levels> elements{};
  for (const std::int32_t level : solids.level) ++elements[static_cast<std::size_t>(level)];
  for (std::size_t level = 1; level < elements.size(); ++level) {
    if (ranks.sum(elements[level]) == 0) continue;
    of_level[level] = static_cast<std::int32_t>(kinds.factors.size());
    kinds.factors.push_back(at_level(model, of_sheet, level));
  }
  kinds.of_element.resize(model.mesh.region.size());
  for_each_index(kinds.of_element.size(), threads, [&](std::size_t e) {
    const bool at_sheet = !sheets.is_near.empty() && sheets.is_near[e] != 0;
    const bool at_solid = !solids.level.empty() && !at_sheet;
    kinds.of_element[e] = at_sheet ? 1 : at_solid ? of_level[static_cast<std::size_t>(solids.level[e])] : 0;
  });
  return kinds;
}

}  // namespace

void find_metal_edges(Model& model, int threads, const comm::Communicator& ranks) {
  const bool may_take =
      !is_harmonic(model.given.mode) && std::none_of(model.problem.media.begin(), model.problem.media.end(),
                                                     [](const Medium& medium) { return medium.chi3 > 0; });
  for (PortDescription& port : model.given.ports) port.may_take_one_mode = port.may_take_one_mode && may_take;
  std::vector<bool> is_metal;
  for (const march::Wall wall : model.boundaries.walls) is_metal.push_back(march::is_metal(wall));
  model.edges = find_sheet_edges(model.mesh, is_metal, threads, ranks);
  model.solid_edges = find_solid_edges(model.mesh, is_metal, threads, ranks);
  const SheetEdges& edges = model.edges;
  for (std::size_t p = 0; p < model.given.port_tag_count(); ++p) {
    PortDescription& port = model.given.ports[p];
    if (port.type == PortType::rectangular_waveguide) continue;  // by its band (port_setup.cpp)
    if (port.may_take_one_mode && !edges.ends_on.empty() && edges.ends_on[p]) {
      port.takes_one_mode = true;
      model.boundaries.walls[p] = march::Wall::one_mode;
    }
  }
  if (model.is_conforming) return;
  model.problem.holds_metal = model.given.method.holds_metal.value_or(!edges.is_near.empty());
  constexpr int layers = 2;  // theory/metal-edges
  const bool penalises = has_upwind_fluxes(model.problem.scheme) || model.problem.penalty > 0;
  if (penalises && model.problem.holds_metal && !edges.is_near.empty())
    model.problem.undamped = find_faces_around(model.mesh, edges.is_near, layers, threads, ranks);
}

std::vector<double> weigh_port(const Model& model, const std::vector<PortTriangle>& triangles, int degree) {
  if (!model.is_conforming) return {};
  const std::vector<GlobalIndex>& sheets = model.edges.vertices;
  const schemes::EdgeFactors factor{model.given.method.edge_factor.value_or(schemes::edge_factor_of_port(degree)), 1};
  std::vector<double> weights;
  for (const PortTriangle& triangle : triangles) {
    double& weight = weights.emplace_back(1);
    for (const GlobalIndex v : triangle.vertices) {
      const std::int32_t level = model.solid_edges.level_of(v);
      if (std::binary_search(sheets.begin(), sheets.end(), v))
        weight = std::min(weight, factor.eps);
      else if (level > 0)
        weight = std::min(weight, at_level(model, factor, static_cast<std::size_t>(level)).eps);
    }
  }
  const bool all_one = std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; });
  return all_one ? std::vector<double>{} : weights;
}

void set_up_sheet_edges(Model& model, int threads, const comm::Communicator& ranks) {
  march::Problem& problem = model.problem;
  if (model.edges.is_near.empty() && model.solid_edges.level.empty()) return;
  const EdgeKinds kinds = find_kinds(model, threads, ranks);
  if (!model.edges.is_near.empty())
    log::info("edges of metal sheets: {} elements with a corner there, eps times {:.4g}, mu times {:.4g}",
              model.edges.elements, kinds.factors[1].eps, kinds.factors[1].mu);
  if (!model.solid_edges.level.empty())
    log::info(
        "edges of solid metal: {} elements with a corner there, eps times {:.4g} to {:.4g}, mu times {:.4g} to {:.4g}",
        model.solid_edges.elements, kinds.factors[2].eps, kinds.factors.back().eps, kinds.factors[2].mu,
        kinds.factors.back().mu);
  if (std::all_of(kinds.factors.begin(), kinds.factors.end(), [](const auto& f) { return f.eps == 1 && f.mu == 1; }))
    return;
  split_shapes(model.mesh, kinds.of_element, kinds.factors.size());
  const std::vector<Medium> of_regions = problem.media;
  for (std::size_t kind = 1; kind < kinds.factors.size(); ++kind)
    for (const Medium& medium : of_regions) problem.media.push_back(scale_medium(medium, kinds.factors[kind]));
  problem.material = model.mesh.region;
  for_each_index(problem.material.size(), threads, [&](std::size_t e) {
    problem.material[e] += kinds.of_element[e] * static_cast<std::int32_t>(of_regions.size());
  });
}

}  // namespace tetrawave::modes
