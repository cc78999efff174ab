// The list of a step's actions of DGTD-Upwind.
#include "schemes/upwind/step_plan.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::march;

namespace {

std::vector<Action> chosen(const StepPlan& plan, Act act) {
  std::vector<Action> found;
  std::copy_if(plan.after_row.begin(), plan.after_row.end(), std::back_inserter(found),
               [&](const Action& action) { return action.act == act; });
  return found;
}

}  // namespace

TEST_CASE("a step of DGTD-Upwind is five stages after its row, each of border and inner elements") {
  const Problem problem;
  const StepPlan plan = plan_upwind(StepNeeds::of(problem));
  CHECK(plan.begin.empty());
  CHECK(plan.before_row.empty());
  REQUIRE(plan.after_row.size() == 5 * 3 + 1);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    CHECK(plan.after_row[3 * stage].act == Act::update);
    CHECK(plan.after_row[3 * stage].part.border);
    CHECK(plan.after_row[3 * stage + 1].substep == static_cast<std::int64_t>(stage));
    CHECK(plan.after_row[3 * stage + 2].act == Act::turn);
  }
  CHECK(plan.after_row.back().act == Act::count);
}

TEST_CASE("metal is held after all that acts on E in a stage") {
  Problem problem;
  problem.holds_metal = true;
  problem.sources = {{}};
  problem.driven = {{}};
  const StepPlan plan = plan_upwind(StepNeeds::of(problem));
  const std::vector<Act> expected{Act::update, Act::waves, Act::sources, Act::sources, Act::metal};
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(plan.after_row[k].act == expected[k]);
}

TEST_CASE("with levels of DGTD-Upwind each is predicted, then corrected, in the order of levels at each time") {
  StepClasses classes;
  classes.count = 2;
  const Problem problem;
  const StepNeeds needs = StepNeeds::of(problem, false);
  const StepPlan plan = plan_upwind_lts(classes, needs);
  const auto updates = chosen(plan, Act::update);
  std::vector<std::pair<int, std::int64_t>> inner;
  for (const Action& action : updates)
    if (!action.part.border) inner.emplace_back(action.part.step_class, action.substep);
  CHECK(inner == std::vector<std::pair<int, std::int64_t>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}});
  CHECK(chosen(plan, Act::predict).size() == updates.size());
  // both fields of the levels beside the advanced one
  const auto sent = chosen(plan, Act::send);
  REQUIRE(sent.size() == 8);
  CHECK(sent[0].field == Field::electric);
  CHECK(sent[1].field == Field::magnetic);
  for (const Action& action : sent) {
    CHECK(action.first_level == 0);
    CHECK(action.levels == 2);
  }
}
