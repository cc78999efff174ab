// The list of a step's actions of leap-frog schemes.
#include "schemes/leap_frog/step_plan.hpp"

#include <map>

#include "catch.hpp"
#include "march/interface/fourth_order.hpp"

using namespace tetrawave;
using namespace tetrawave::march;

namespace {

StepClasses levels(int count) {
  StepClasses classes;
  classes.count = count;
  return classes;
}

std::vector<Act> acts_of(const std::vector<Action>& actions) {
  std::vector<Act> acts;
  for (const Action& action : actions) acts.push_back(action.act);
  return acts;
}

/// Updates of a field's inner elements, by level: their substeps in the order of the list.
std::map<int, std::vector<std::int64_t>> updates(const StepPlan& plan, Field field) {
  std::map<int, std::vector<std::int64_t>> found;
  for (const auto* actions : {&plan.before_row, &plan.after_row})
    for (const Action& action : *actions)
      if (action.act == Act::update && action.field == field && !action.part.border)
        found[action.part.step_class].push_back(action.substep);
  return found;
}

}  // namespace

TEST_CASE("in vacuum a step is H, its row, E, and the count, each with its walls") {
  StepNeeds needs;
  needs.walls = true;
  const StepPlan plan = plan_leap_frog(levels(1), needs, false, false);
  const std::vector<Act> half{Act::update, Act::walls, Act::update, Act::walls};
  CHECK(acts_of(plan.before_row) == half);
  std::vector<Act> rest = half;
  rest.push_back(Act::count);
  CHECK(acts_of(plan.after_row) == rest);
  CHECK(plan.before_row[0].field == Field::magnetic);
  CHECK(plan.before_row[0].part.border);
  CHECK_FALSE(plan.before_row[2].part.border);
  CHECK(plan.after_row[0].field == Field::electric);
  for (const Action& action : plan.before_row) CHECK_FALSE(action.front);
}

TEST_CASE("with a penalty the old values of E stay, and states of its media follow the update") {
  StepNeeds needs;
  needs.walls = needs.dispersion = needs.layers = needs.braked = needs.penalised = true;
  const StepPlan plan = plan_leap_frog(levels(1), needs, false, false);
  for (const bool electric : {false, true}) {
    const std::vector<Act> part = electric ? std::vector{Act::update, Act::dispersion, Act::layers, Act::walls}
                                           : std::vector{Act::dispersion, Act::layers, Act::update, Act::walls};
    std::vector<Act> half{Act::layer_jumps};
    if (electric) half.push_back(Act::keep_old);
    for (int k = 0; k < 2; ++k) half.insert(half.end(), part.begin(), part.end());
    if (electric) half.push_back(Act::count);
    CHECK(acts_of(electric ? plan.after_row : plan.before_row) == half);
  }
}

TEST_CASE("beside other ranks the border goes first, and traces travel while inner elements are advanced") {
  StepNeeds needs;
  needs.alone = false;
  const StepPlan plan = plan_leap_frog(levels(1), needs, false, false);
  CHECK(acts_of(plan.before_row) ==
        std::vector{Act::fork, Act::update, Act::send, Act::update, Act::carry, Act::receive, Act::join});
  const std::vector<bool> front{false, true, true, false, false, true, false};
  for (std::size_t k = 0; k < front.size(); ++k) CHECK(plan.before_row[k].front == front[k]);
}

TEST_CASE("terms act in their order around the update of an element") {
  StepNeeds needs;
  needs.dispersion = needs.nonlinear = needs.layers = needs.sources = needs.stored = needs.walls = true;
  needs.braked = needs.dispersive_ports = needs.one_mode = true;
  const auto plan = plan_leap_frog(levels(1), needs, true, false);
  const std::vector<Act> part{Act::keep,    Act::dispersion, Act::keep,  Act::layers,          Act::update,
                              Act::sources, Act::walls,      Act::waves, Act::dispersion_after};
  std::vector<Act> of_magnetic{Act::dispersive_ports, Act::layer_jumps, Act::one_mode_before};
  of_magnetic.insert(of_magnetic.end(), part.begin(), part.end());
  of_magnetic.insert(of_magnetic.end(), part.begin(), part.end());
  of_magnetic.push_back(Act::one_mode_after);
  CHECK(acts_of(plan.before_row) == of_magnetic);
  CHECK_FALSE(plan.before_row[3].second);
  CHECK(plan.before_row[5].second);
  // E of Kerr media is solved last; without rates nothing follows the update of dispersive media
  const auto central = plan_leap_frog(levels(1), needs, false, false);
  CHECK(acts_of(central.after_row)[11] == Act::nonlinear);
  CHECK(acts_of(central.before_row)[2] == Act::keep);  // ports of one mode do nothing to H there
}

TEST_CASE("with levels an element of level c is advanced 3^(count - 1 - c) times in a step, in order") {
  for (const bool electric_first : {false, true}) {
    const StepPlan plan = plan_leap_frog(levels(3), {}, electric_first, electric_first);
    for (const Field field : {Field::electric, Field::magnetic}) {
      const auto found = updates(plan, field);
      REQUIRE(found.size() == 3);
      for (const auto& [level, substeps] : found) {
        std::vector<std::int64_t> all;
        for (std::int64_t k = 0; k < levels(3).substeps(level); ++k) all.push_back(k);
        CHECK(substeps == all);
      }
    }
    CHECK(plan.before_row.empty() == electric_first);
  }
}

TEST_CASE("every act has a name, and a line of the printed list") {
  StepNeeds needs;
  needs.alone = false;
  needs.walls = needs.sources = true;
  const StepPlan plan = plan_leap_frog(levels(2), needs, false, false);
  const auto table = table_of(plan, 2);
  REQUIRE(table.size() == plan.size() + 1);
  CHECK(table[1] == std::vector<std::string>{"volume and surface", "H", "border", "0", "0"});
  CHECK(table[plan.before_row.size()] == std::vector<std::string>{"record the row"});
  for (int act = 0; act <= static_cast<int>(Act::count); ++act)
    CHECK(std::string(name_of(static_cast<Act>(act))).size() > 3);
}

TEST_CASE("a step of fourth order is H about the row, then E, two changes of H and E, and E again") {
  StepNeeds needs;
  needs.walls = needs.sources = needs.dispersion = needs.fourth_order = true;
  const StepPlan plan = plan_leap_frog(levels(1), needs, false, false);
  const auto stages_of = [](const std::vector<Action>& actions, Act act) {
    std::vector<std::int64_t> stages;
    for (const Action& action : actions)
      if (action.act == act && action.part.border) stages.push_back(action.substep);
    return stages;
  };
  using namespace march::fourth;
  CHECK(stages_of(plan.before_row, Act::update) == std::vector<std::int64_t>{about_row});
  CHECK(stages_of(plan.after_row, Act::update) ==
        std::vector<std::int64_t>{first_half, first_change, second_change, middle, second_half});
  CHECK(stages_of(plan.after_row, Act::sources) ==
        std::vector<std::int64_t>{first_half, first_change, second_change, second_half});
  CHECK(stages_of(plan.after_row, Act::walls) == std::vector<std::int64_t>{first_half, second_change, second_half});
  CHECK(stages_of(plan.after_row, Act::dispersion) == std::vector<std::int64_t>{first_half, second_half});
  CHECK(plan.after_row.back().act == Act::count);
  needs.alone = false;
  const StepPlan shared = plan_leap_frog(levels(1), needs, false, false);
  std::int64_t sent = 0;
  for (const Action& action : shared.after_row) sent += action.act == Act::send ? 1 : 0;
  CHECK(sent == 5);
}
