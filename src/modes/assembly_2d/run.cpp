#include "modes/assembly_2d/run.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "statics/field.hpp"
#include "statics/serial.hpp"
#include "statics/visiting_order.hpp"

namespace tetrawave::modes {

namespace {

fem::SolveOptions options_of(const StaticSetup& setup) {
  const StaticsRequest& asked = setup.request;
  return {asked.algorithm, asked.coloring == ColoringMethod::none, asked.jacobi, asked.tolerance, asked.max_iterations,
          setup.threads};
}

fem::Incidence corners_of_elements(const fem::StaticProblem& problem) {
  return fem::list_entities(problem.elements, problem.nodes_per_element(), 3, 1,
                            static_cast<std::int32_t>(problem.nodes.size()));
}

/// The elements at every node: at all nodes of second-order triangles, too.
fem::Adjacency adjacency_of(const fem::StaticProblem& problem) {
  return fem::find_adjacency(
      {problem.nodes_per_element(), problem.elements, static_cast<std::int32_t>(problem.nodes.size())});
}

std::vector<std::int32_t> color_with(ColoringMethod method, const fem::Incidence& incidence,
                                     const fem::Adjacency& adjacency) {
  switch (method) {
    case ColoringMethod::ccm:
      return fem::color_classically(incidence, adjacency);
    case ColoringMethod::fcm:
      return fem::color_fast(incidence, adjacency);
    case ColoringMethod::ofcm:
    case ColoringMethod::none:
      break;
  }
  return fem::color_by_table(incidence);
}

/// Elements that share a node share a corner, so colours need to be separated by corners only.
fem::Coloring make_coloring(const StaticSetup& setup, StaticRun& run) {
  const fem::StaticProblem& problem = setup.problem;
  const ColoringMethod method = setup.request.coloring;
  if (method == ColoringMethod::none) return fem::one_group(problem.element_count());
  const bool sorts = setup.request.smallest_last;
  Stopwatch watch;
  const fem::Incidence incidence = corners_of_elements(problem);
  fem::Adjacency adjacency;
  if (sorts || method != ColoringMethod::ofcm) adjacency = fem::find_adjacency(incidence);
  run.seconds_adjacency += watch.lap();
  std::vector<std::int32_t> order;
  if (sorts) order = fem::order_smallest_last(incidence, adjacency);
  run.seconds_order = watch.lap();
  const auto color_in_order = [&] {
    if (!sorts) return color_with(method, incidence, adjacency);
    const fem::Incidence visited = fem::reorder(incidence, order);
    const fem::Adjacency neighbors = method == ColoringMethod::ofcm ? fem::Adjacency{} : fem::find_adjacency(visited);
    return fem::back_in_place(color_with(method, visited, neighbors), order);
  };
  std::vector<std::int32_t> colors = color_in_order();
  run.seconds_coloring = watch.lap();
  if (method != ColoringMethod::ccm) fem::balance_colors(incidence, colors);
  run.seconds_balance = watch.lap();
  const fem::Coloring coloring = fem::group_by_color(colors);
  run.colors = std::move(colors);
  fem::check_coloring(incidence, coloring);
  run.color_sizes = coloring.sizes();
  log::info("colouring {}: {} colours, {} to {} elements each, {:.4g} s, order {:.4g} s, balance {:.4g} s",
            name_of(method), coloring.count(), *std::min_element(run.color_sizes.begin(), run.color_sizes.end()),
            *std::max_element(run.color_sizes.begin(), run.color_sizes.end()), run.seconds_coloring, run.seconds_order,
            run.seconds_balance);
  return coloring;
}

void keep_fastest(fem::SolveFigures& best, const fem::SolveFigures& next) {
  const fem::SolveFigures before = best;
  best = next;
  best.seconds_transfer = std::min(before.seconds_transfer, next.seconds_transfer);
  best.seconds_element = std::min(before.seconds_element, next.seconds_element);
  best.seconds_convert = std::min(before.seconds_convert, next.seconds_convert);
  best.seconds_solve = std::min(before.seconds_solve, next.seconds_solve);
}

}  // namespace

const std::vector<double>& SerialReference::values(const StaticSetup& setup, const fem::Adjacency& adjacency) {
  if (setup.key == key_) return values_;
  values_ = setup.problem.complete(fem::solve_serially(setup.problem, adjacency, options_of(setup)).unknowns);
  key_ = setup.key;
  return values_;
}

void SerialReference::keep(const StaticSetup& setup, const std::vector<double>& values) {
  values_ = values;
  key_ = setup.key;
}

StaticRun run_static(const StaticSetup& setup, const StaticSolver& solver, SerialReference& reference) {
  const fem::StaticProblem& problem = setup.problem;
  StaticRun run;
  const fem::Coloring coloring = make_coloring(setup, run);
  const fem::SolveOptions options = options_of(setup);
  const bool serial = options.algorithm == Algorithm2D::serial;
  const bool compare = setup.request.compare_to_serial;
  Stopwatch watch;
  fem::Adjacency adjacency;
  if (serial || compare) adjacency = adjacency_of(problem);
  if (serial) run.seconds_adjacency += watch.lap();
  for (std::int64_t k = 0; k < setup.request.repeats; ++k) {
    fem::Solution solution =
        serial ? fem::solve_serially(problem, adjacency, options) : solver(problem, coloring, options);
    if (k == 0)
      run.figures = solution.figures;
    else
      keep_fastest(run.figures, solution.figures);
    run.values = problem.complete(solution.unknowns);
  }
  if (serial) reference.keep(setup, run.values);
  if (compare) run.difference = fem::relative_difference(run.values, reference.values(setup, adjacency));
  return run;
}

StaticQuantities find_quantities(const StaticSetup& setup, const std::vector<double>& values) {
  const StaticsRequest& spec = setup.request;
  StaticQuantities quantities;
  quantities.energy = fem::stored_energy(setup.problem, values);
  const std::vector<double> areas = fem::region_areas(setup.problem);
  for (std::size_t k = 0; k < areas.size(); ++k)
    quantities.current += std::max(0.0, setup.problem.source[k]) * areas[k];
  if (quantities.current > 0) quantities.inductance = 2 * quantities.energy / (quantities.current * quantities.current);
  if (spec.equation != Equation2D::electrostatic) return quantities;
  quantities.charges.assign(spec.potentials.size(), 0);
  const std::vector<double> reaction = fem::reactions(setup.problem, values);
  for (std::size_t i = 0; i < reaction.size(); ++i)
    quantities.charges[static_cast<std::size_t>(setup.group_of_fixed[i])] += reaction[i];
  const auto [low, high] = std::minmax_element(spec.potentials.begin(), spec.potentials.end(),
                                               [](const auto& a, const auto& b) { return a.value < b.value; });
  if (!(high->value > low->value)) return quantities;
  double charge = 0;
  for (std::size_t k = 0; k < spec.potentials.size(); ++k)
    if (spec.potentials[k].value == high->value) charge += quantities.charges[k];
  quantities.capacitance = charge / (high->value - low->value);
  return quantities;
}

}  // namespace tetrawave::modes
