#include "schemes/upwind/step_plan.hpp"

#include <algorithm>

#include "march/interface/per_field.hpp"

namespace tetrawave::march {

namespace {

constexpr int stages = 5;

class LevelPlan {
 public:
  LevelPlan(const StepClasses& classes, const StepNeeds& needs) : classes_(classes), needs_(needs) {}

  StepPlan plan() {
    if (needs_.jumps) step_.begin.push_back({Act::sum_jumps});
    for (std::int64_t k = 0; k < classes_.substeps(0); ++k) {
      for (int c = 0; c < classes_.count && k % length_of(c) == 0; ++c) act_apart(c, k / length_of(c), false);
      for (int c = 0; c < classes_.count && (k + 1) % length_of(c) == 0; ++c) end_step(c, k / length_of(c));
    }
    step_.after_row.push_back({Act::count});
    return std::move(step_);
  }

 private:
  [[nodiscard]] std::int64_t length_of(int c) const { return classes_.substeps(0) / classes_.substeps(c); }

  void add(bool needed, Act act, Field field, const Part& part, std::int64_t substep, bool second = false) {
    if (needed) step_.after_row.push_back({act, field, part, substep, 1, 0, false, second});
  }

  /// Sources inside the domain, polarisations and states of layers, half a step of level c each before and after
  /// (`second`) its update.
  void act_apart(int c, std::int64_t substep, bool second) {
    for (const bool border : {true, false})
      for (const Field field : both_fields) {
        const Part part{border, c};
        add(!second && needs_.layers, Act::layers, field, part, substep);
        add(!second && needs_.dispersion, Act::dispersion, field, part, substep);
        add(needs_.sources, Act::sources, field, part, substep, second);
        add(second && needs_.dispersion, Act::dispersion, field, part, substep, true);
        add(second && needs_.layers, Act::layers, field, part, substep, true);
      }
  }

  /// Adjacent levels provide the integrals that level c needs, in the order of levels at each time.
  void end_step(int c, std::int64_t substep) {
    predict_and_exchange(c, substep);
    if (c == classes_.of_memories) {
      add(needs_.dispersive_ports, Act::dispersive_ports, Field::electric, {false, c}, substep);
      add(needs_.one_mode, Act::one_mode_before, Field::electric, {false, c}, substep);
    }
    for (const bool border : {true, false}) {
      add(true, Act::update, Field::electric, {border, c}, substep);
      add(needs_.waves, Act::waves, Field::electric, {border, c}, substep);
      add(needs_.conductors, Act::conductors, Field::electric, {border, c}, substep);
    }
    act_apart(c, substep, true);
    for (const bool border : {true, false}) add(needs_.metal, Act::metal, Field::electric, {border, c}, substep);
  }

  /// The fields travel one after the other.
  void predict_and_exchange(int c, std::int64_t substep) {
    const auto travel = [&](Act act, Field field, bool front) {
      if (!needs_.alone)
        step_.after_row.push_back(
            {act, field, {}, 0, std::min(c + 2, classes_.count), std::max(c - 1, 0), front, false});
    };
    const auto predict = [&](bool border) {
      step_.after_row.push_back(
          {Act::predict, Field::electric, {border, c}, substep, 1, 0, border && !needs_.alone, false});
    };
    travel(Act::fork, Field::electric, false);
    predict(true);
    travel(Act::send, Field::electric, true);
    predict(false);
    travel(Act::carry, Field::electric, false);
    travel(Act::receive, Field::electric, true);
    travel(Act::send, Field::magnetic, true);
    travel(Act::carry, Field::magnetic, false);
    travel(Act::receive, Field::magnetic, true);
    travel(Act::join, Field::magnetic, false);
  }

  const StepClasses& classes_;
  StepNeeds needs_;
  StepPlan step_;
};

}  // namespace

StepPlan plan_upwind(const StepNeeds& needs) {
  StepPlan step;
  if (needs.jumps) step.begin.push_back({Act::sum_jumps});
  std::vector<Action>& to = step.after_row;
  for (int stage = 0; stage < stages; ++stage) {
    const auto add = [&](bool needed, Act act, Field field, const Part& part, bool second = false) {
      if (needed) to.push_back({act, field, part, stage, 1, 0, false, second});
    };
    add(needs.dispersive_ports, Act::dispersive_ports, Field::electric, {});
    add(needs.one_mode, Act::one_mode_before, Field::electric, {});
    add_overlap(to, {Act::send, Field::electric, {}, stage}, needs.alone, [&](bool border) {
      const Part part{border, 0};
      add(true, Act::update, Field::electric, part);
      add(needs.waves, Act::waves, Field::electric, part);
      add(needs.conductors, Act::conductors, Field::electric, part);
      for (const Field field : both_fields) add(needs.sources, Act::sources, field, part);
      for (const Field field : both_fields) {
        add(needs.dispersion, Act::dispersion, field, part);
        add(needs.layers, Act::layers, field, part);
      }
      add(needs.metal, Act::metal, Field::electric, part);
    });
    add(true, Act::turn, Field::electric, {});
  }
  to.push_back({Act::count});
  return step;
}

StepPlan plan_upwind_lts(const StepClasses& classes, const StepNeeds& needs) {
  return LevelPlan(classes, needs).plan();
}

}  // namespace tetrawave::march
