#include "model/edge_warnings.hpp"

#include <array>
#include <cmath>
#include <string>

#include "base/log.hpp"
#include "base/names.hpp"
#include "base/scheme.hpp"
#include "mesh/report/metal_edges.hpp"
#include "terms/walls/edge_factors.hpp"

namespace tetrawave::modes {

namespace {

constexpr double least_percent = 1;  // below it, no warning

/// Shift of a resonance of a strip one element wide without a correction, in percent, positive if low: that of
/// theory/metal-edges times the elements across its strip.
double percent_of_one_element(const Model& model) {
  using Row = std::array<double, 7>;  // mixed-1, full-1, mixed-2, full-2, mixed-3, full-3; full-4 of the DGTD schemes
  constexpr Row central{53, 16.5, 16, 8.8, 9, 5.5, 3.7};
  constexpr Row upwind{62, 17, 19, 9.6, 9.6, 6, 4};
  constexpr Row dfdd{48, 0.5, 15, 4.2, 7.7, 2.7};
  const auto space = static_cast<std::size_t>(model.given.method.basis);
  constexpr Row finite_elements{20, -12, 5, -4, 4, -3};  // impedances are off by as much, too low in all
  if (model.is_conforming) return finite_elements[space];
  const Scheme scheme = model.problem.scheme;
  return (has_upwind_fluxes(scheme) ? upwind : has_rates(scheme) ? dfdd : central)[space];
}

/// Whether edges of solid metal have a factor of their own, resonances being high without it.
bool is_high_at_solids(const Model& model) {
  const march::Problem& problem = model.problem;
  return !model.is_conforming &&
         schemes::edge_factors(problem.scheme, problem.space, problem.holds_metal).more_at_solids > 0;
}

/// A shift in percent, positive if high.
struct Shift {
  double percent = 0;
  bool has_sign = true;

  [[nodiscard]] bool matters() const { return std::abs(percent) >= least_percent; }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} by about {:.2g} percent",
                       !has_sign     ? "off"
                       : percent > 0 ? "high"
                                     : "low",
                       std::abs(percent));
  }
};

/// The factor removes the part proportional to the element size. The remainder is low with the square of it; where one
/// element reaches from the edge to other metal, the factor is too much and the remainder higher (theory/metal-edges).
Shift shift_of_sheets(double elements_across, const MetalFaces& faces, const MetalClearance& clearance, double of_one,
                      bool corrected) {
  if (!corrected) return {-of_one / elements_across};
  const double square = of_one / (elements_across * elements_across);
  if (!clearance.is_one_element()) return {-square / 4};
  const double distance = clearance.length_m * static_cast<double>(faces.edges) / faces.edge_m;
  if (distance < 1) return {square / 4, false};
  return {0.24 * of_one * std::pow(distance, -2.8) - square / 8};
}

/// Edges of thin solids are nearly edges of sheets, at thick ones fields are less singular.
/// `high_of_one`: of a scheme in which they are high instead, of one element.
Shift shift_of_solids(double elements_across, double height_in_elements, double of_one, double high_of_one,
                      bool corrected) {
  if (high_of_one > 0) return {corrected ? 0 : high_of_one / elements_across};
  Shift shift = shift_of_sheets(elements_across, {}, {}, of_one, corrected);
  shift.percent *= 0.34 + 0.5 * std::exp(-5 * height_in_elements);
  return shift;
}

/// Positive if low. A large share of a capacitance shifts the resonance by less than half of it.
double percent_of_gaps(const Model& model, double width_in_elements, double of_one) {
  constexpr std::array<double, 6> finite_elements{5.8, 0.9, 1.4, 0.55, 0.58, 0.35};
  const bool corrected = !model.problem.material.empty();
  const double of_one_gap = model.is_conforming ? finite_elements[static_cast<std::size_t>(model.given.method.basis)]
                            : is_high_at_solids(model) ? (corrected ? 0.69 : 0.31)
                                                       : (corrected ? 0.08 : 0.115) * of_one;
  const double share = of_one_gap * std::pow(width_in_elements, -1.7) / 100;  // of a gap's capacitance, if it is small
  return 100 * (1 - 1 / std::sqrt(1 + 2 * share));
}

void warn_of_strips(const Model& model, const MetalEdges& edges, double of_one) {
  const bool corrected = !model.problem.material.empty();
  const std::string space = name_of(model.problem.space);
  for (std::size_t tag = 0; tag < edges.sheets.size(); ++tag) {
    const double across = edges.sheets[tag].elements_across();
    if (across == 0) continue;
    const Shift shift = shift_of_sheets(across, edges.sheets[tag], edges.clearances[tag], of_one, corrected);
    if (shift.matters())
      log::warning(
          "{}: its strips are {:.1f} elements wide{}: resonances are {} with {}; use smaller elements {}, or a higher "
          "degree",
          model.boundaries.tags.names[tag], across,
          edges.clearances[tag].is_one_element() ? ", one element from other metal" : "", shift.text(), space,
          edges.clearances[tag].is_one_element() ? "at them" : "across them");
  }
  const double high_of_one = is_high_at_solids(model) ? 6.5 : 0;
  for (std::size_t tag = 0; tag < edges.solids.size(); ++tag) {
    const double across = edges.solids[tag].elements_across();
    const MetalSides& side = edges.sides[tag];
    if (across == 0 || 2 * side.faces < edges.solids[tag].edges) continue;
    const double height = side.height_m / side.edge_m;
    const Shift shift = shift_of_solids(across, height, of_one, high_of_one, corrected);
    if (shift.matters())
      log::warning(
          "{}: its solid strips are {:.1f} elements wide and {:.2g} high: resonances are {} with {}; use smaller "
          "elements at them, or a higher degree",
          model.boundaries.tags.names[tag], across, height, shift.text(), space);
  }
}

void warn_of_gaps(const Model& model, const MetalGaps& gaps, double of_one) {
  constexpr std::int64_t least = 3;  // one or two can be a corner's
  if (gaps.bridges < least) return;
  const double width = gaps.gap_m / gaps.edge_m;
  const double percent = percent_of_gaps(model, width, of_one);
  if (percent >= least_percent)
    log::warning(
        "gaps between edges of metal are bridged by {} edges of the mesh, {:.4g} m long beside elements of {:.4g} m "
        "along the gaps ({:.2g} elements): resonances that depend on them are low by about {:.2g} percent with "
        "{}; use two or more elements across a gap, no longer than it is wide",
        gaps.bridges, gaps.gap_m, gaps.edge_m, width, percent, name_of(model.problem.space));
}

}  // namespace

void warn_of_coarse_edges(const Model& model, int threads, const comm::Communicator& ranks) {
  std::vector<bool> is_metal;
  for (const march::Wall wall : model.boundaries.walls) is_metal.push_back(march::is_metal(wall));
  const MetalEdges edges = measure_metal_edges(model.mesh, is_metal, threads, ranks);
  const double of_one = percent_of_one_element(model);
  warn_of_strips(model, edges, of_one);
  warn_of_gaps(model, edges.gaps, of_one);
}

}  // namespace tetrawave::modes
