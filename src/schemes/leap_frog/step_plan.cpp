#include "schemes/leap_frog/step_plan.hpp"

#include "march/interface/fourth_order.hpp"

namespace tetrawave::march {

namespace {

class LeapFrogPlan {
 public:
  LeapFrogPlan(const StepClasses& classes, const StepNeeds& needs, bool with_rates)
      : classes_(classes), needs_(needs), with_rates_(with_rates) {}

  /// Advances a field at an event.
  void advance(Field field, std::int64_t smallest, bool at_middle, std::vector<Action>& to) {
    const Event event = Event::make(classes_, smallest, at_middle);
    const auto add = [&](bool needed, Act act) {
      if (needed)
        to.push_back({act, field, {false, classes_.of_memories}, event.substep(classes_.of_memories), event.classes});
    };
    const bool at_ports = classes_.of_memories < event.classes;
    const bool one_mode = at_ports && needs_.one_mode && (with_rates_ || field == Field::electric);
    add(at_ports && needs_.dispersive_ports, Act::dispersive_ports);
    add(needs_.braked, Act::layer_jumps);
    add(one_mode, Act::one_mode_before);
    add(is_penalised(field), Act::keep_old);
    add_overlap(to, {Act::send, field, {}, 0, event.classes}, needs_.alone, [&](bool border) {
      for (int c = 0; c < event.classes; ++c) add_part(field, {border, c}, event.substep(c), to);
    });
    add(one_mode, Act::one_mode_after);
  }

 private:
  [[nodiscard]] bool is_penalised(Field field) const { return needs_.penalised && field == Field::electric; }
  void add_part(Field field, const Part& part, std::int64_t substep, std::vector<Action>& to) const {
    const auto add = [&](bool needed, Act act, bool second = false) {
      if (needed) to.push_back({act, field, part, substep, 1, 0, false, second});
    };
    add(is_penalised(field), Act::update);
    add(needs_.stored && needs_.dispersion, Act::keep);
    add(needs_.dispersion, Act::dispersion);
    add(needs_.stored && needs_.dispersion, Act::keep, true);
    add(needs_.layers, Act::layers);
    add(!is_penalised(field), Act::update);
    add(needs_.sources, Act::sources);
    add(needs_.walls, Act::walls);
    add(needs_.stored, Act::waves);
    add(needs_.dispersion && with_rates_, Act::dispersion_after);
    add(needs_.nonlinear && field == Field::electric, Act::nonlinear);
  }

  const StepClasses& classes_;
  StepNeeds needs_;
  bool with_rates_;
};

}  // namespace

Event Event::make(const StepClasses& classes, std::int64_t smallest, bool at_middle) {
  Event event{smallest, at_middle, 1};
  for (std::int64_t third = event.twice_or_once(); event.classes < classes.count && third % 3 == 0; third /= 3)
    ++event.classes;
  return event;
}

std::int64_t Event::substep(int step_class) const {
  std::int64_t time = twice_or_once();
  for (int c = 0; c < step_class; ++c) time /= 3;
  return at_middle ? (time - 1) / 2 : time;
}

namespace {

StepPlan plan_fourth_order(const StepNeeds& needs) {
  const auto advance = [&](Field field, std::int64_t stage, std::vector<Action>& to) {
    const bool of_electric = stage == fourth::first_half || stage == fourth::second_half;
    add_overlap(to, {Act::send, field, {}, stage}, needs.alone, [&](bool border) {
      const auto add = [&](bool needed, Act act) {
        if (needed) to.push_back({act, field, {border, 0}, stage});
      };
      add(of_electric && needs.dispersion, Act::dispersion);
      add(true, Act::update);
      add(needs.sources && stage != fourth::middle, Act::sources);
      add(needs.walls && field == Field::electric, Act::walls);
    });
  };
  StepPlan step;
  advance(Field::magnetic, fourth::about_row, step.before_row);
  advance(Field::electric, fourth::first_half, step.after_row);
  advance(Field::magnetic, fourth::first_change, step.after_row);
  advance(Field::electric, fourth::second_change, step.after_row);
  advance(Field::magnetic, fourth::middle, step.after_row);
  advance(Field::electric, fourth::second_half, step.after_row);
  step.after_row.push_back({});
  return step;
}

}  // namespace

StepPlan plan_leap_frog(const StepClasses& classes, const StepNeeds& needs, bool with_rates, bool electric_first) {
  if (needs.fourth_order) return plan_fourth_order(needs);
  LeapFrogPlan plan(classes, needs, with_rates);
  const Field first = electric_first ? Field::electric : Field::magnetic;
  const Field second = electric_first ? Field::magnetic : Field::electric;
  StepPlan step;
  plan.advance(first, 0, false, electric_first ? step.after_row : step.before_row);
  plan.advance(second, 0, true, step.after_row);
  for (std::int64_t k = 1; k < classes.substeps(0); ++k) {
    plan.advance(first, k, false, step.after_row);
    plan.advance(second, k, true, step.after_row);
  }
  step.after_row.push_back({});
  return step;
}

}  // namespace tetrawave::march
