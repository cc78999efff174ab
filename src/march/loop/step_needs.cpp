#include "march/loop/step_needs.hpp"

#include <algorithm>

#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::march {

StepNeeds StepNeeds::of(const Problem& problem, bool alone) {
  StepNeeds needs;
  needs.alone = alone;
  for (const Medium& medium : problem.media) {
    needs.nonlinear = needs.nonlinear || medium.chi3 > 0;
    for (const bool electric : {true, false}) {
      const auto law = schemes::law_of(problem.scheme, medium, electric);
      needs.dispersion = needs.dispersion || law.any() || law.is_projected();
    }
  }
  needs.layers = problem.layers.has_value();
  needs.sources = !problem.sources.empty();
  needs.dispersive_ports = !problem.memories.empty();
  needs.one_mode = !problem.terminations.empty();
  needs.stored = problem.layout == Layout::stored;
  needs.walls = !needs.stored || problem.starts_factored();
  needs.jumps = problem.sums_jumps;
  needs.fourth_order = problem.time_order == 4;
  needs.penalised = problem.penalty > 0;
  needs.waves = !problem.driven.empty();
  needs.conductors = std::any_of(problem.walls.begin(), problem.walls.end(), is_conductor);
  needs.metal = problem.holds_metal;
  return needs;
}

}  // namespace tetrawave::march
