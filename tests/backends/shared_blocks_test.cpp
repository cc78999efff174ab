// Blocks of elements: geometry that the cells of an array share, of which the march is that of elements with geometry
// of their own, and media with terms in DFDD-ELD.
#include "march/elements/shared_blocks.hpp"

#include <map>
#include <set>

#include "base/names.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/elements/layout.hpp"
#include "support/array_problem.hpp"
#include "support/outcome.hpp"
#include "support/situations.hpp"
#include "terms/dispersion/device/law_on_device.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

struct Marched {
  Outcome outcome;
  double step_m;
  std::int64_t bytes;
};

/// At half the limit, or at the step of another march.
Marched march_over(const ArrayProblem& array, Precision precision, double dt_m = 0) {
  march::EngineOptions options;
  options.threads = 1;
  options.precision = precision;
  const auto engine = host::make_engine(array.problem, options, Communicator::self());
  const double limit_m = engine->find_stable_step();
  const double marched_m = dt_m > 0 ? dt_m : limit_m / 2;
  const Outcome outcome = run_engine(*engine, array.make_start(marched_m, 12), {12});
  return {outcome, limit_m, engine->device_memory_bytes()};
}

void compare(Scheme scheme, Space space, Layout layout, Precision precision = Precision::double_precision,
             bool with_axes = false) {
  INFO(name_of(scheme) << ", " << tetrawave::name_of(space) << ", " << name_of(layout) << ", " << name_of(precision));
  ArrayProblem array({6, 5}, space);
  array.problem.scheme = scheme;
  array.problem.layout = layout;
  if (with_axes) array.problem.media.back().eps_axes = {0.8, 1.25, 1};
  const Marched shared = march_over(array, precision);
  array.forget_copies();
  const Marched own = march_over(array, precision, shared.step_m / 2);
  const double rounding = precision == Precision::single_precision ? 1e-5 : 1e-12 * rounding_of(space);
  const double found = scheme == Scheme::dgtd_upwind ? 1e-3 : 1e-9;  // of Arnoldi's method
  CHECK(std::abs(shared.step_m / own.step_m - 1) < found);
  CHECK(largest_difference(shared.outcome.electric, own.outcome.electric) < rounding);
  CHECK(largest_difference(shared.outcome.magnetic, own.outcome.magnetic) < rounding);
  const auto n = static_cast<std::int64_t>(basis::reference_element(space).dofs);
  const std::int64_t saved = array.mesh.element_count() / 2 * (precision == Precision::single_precision ? 4 : 8);
  if (scheme == Scheme::dfdd_eld && layout == Layout::factored) return;  // terms in blocks of their own take less
  CHECK(own.bytes - shared.bytes > saved * (layout == Layout::stored ? 2 * n * 2 * n : 6));
}

}  // namespace

TEST_CASE("an array whose cells share their geometry is marched as one of elements with their own") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind}) {
    compare(scheme, Space::full_1, Layout::factored);
    compare(scheme, Space::mixed_1, Layout::stored);
  }
  compare(Scheme::dfdd_eld, Space::mixed_2, Layout::factored);  // which holds inverses
  compare(Scheme::dgtd_central, Space::mixed_1, Layout::factored, Precision::single_precision);
  compare(Scheme::dfdd_eld, Space::mixed_1, Layout::factored, Precision::double_precision, true);
}

TEST_CASE("blocks that share geometry have elements of one shape in every lane") {
  const ArrayProblem array({8, 7}, Space::mixed_1);
  for (const int lanes : {8, 32}) {
    const auto layout = march::lay_out_elements<double>(array.problem, lanes);
    REQUIRE(layout.shared.number.size() == static_cast<std::size_t>(layout.blocks));
    CHECK(layout.metric_blocks() < layout.blocks / 2);
    CHECK(layout.metric.size() == static_cast<std::size_t>(6 * lanes * layout.metric_blocks()));
    double wrong = 0;
    for (LocalIndex e = 0; e < array.mesh.element_count(); ++e) {
      const basis::PhysicalElement element(Space::mixed_1, array.mesh.corners[static_cast<std::size_t>(e)]);
      const auto q = element.metric();
      for (int a = 0; a < 6; ++a)
        wrong = std::max(
            wrong,
            std::abs(q[static_cast<std::size_t>(a)] - layout.metric[layout.at_metric(layout.slot(e), 6, a)]) / q[0]);
    }
    CHECK(wrong < 1e-12);
  }
}

TEST_CASE("nothing is shared where it saves little, in layers, or where elements have an order of their own") {
  ArrayProblem array({12, 10}, Space::mixed_1);
  const auto count = [&] {
    const std::int64_t blocks = (array.mesh.element_count() + 7) / 8;
    return march::share_blocks(array.problem, 8, 0, blocks, 1).first.size();
  };
  CHECK(count() > 0);
  array.problem.layers.emplace();
  array.problem.layers->is_layer = {true, true, true};
  CHECK(count() == 0);
  array.problem.layers.reset();
  array.problem.classes.count = 2;
  CHECK(count() == 0);
  const ArrayProblem one({1, 1}, Space::mixed_1);
  CHECK(march::share_blocks(one.problem, 8, 0, (one.mesh.element_count() + 7) / 8, 1).first.empty());
}

TEST_CASE("in DFDD-ELD the elements of a medium with terms stand in blocks of their own, and in no other scheme") {
  for (const char* name : {"dispersion", "dispersion in classes"})
    for (const Space space : {Space::mixed_1, Space::full_2, Space::full_3}) {
      const auto situation = make_situation(name, space, 4, Communicator::self());
      const march::Problem& problem = situation->problem;
      situation->problem.scheme = Scheme::dgtd_central;
      CHECK(march::BlockGroups(problem).count == 1);
      situation->problem.scheme = Scheme::dfdd_eld;
      const march::BlockGroups groups(problem);
      CHECK(groups.count == (space == Space::full_3 ? 1 : 3));
      const auto layout = march::lay_out_elements<double>(problem, 4);
      std::map<std::int32_t, std::set<std::pair<march::Part, std::size_t>>> of_block;
      std::set<std::int32_t> slots;
      for (LocalIndex e = 0; e < situation->mesh.element_count(); ++e) {
        slots.insert(layout.slot(e));
        of_block[layout.slot(e) / 4].insert({problem.part_of(e), groups.of(problem, e)});
        const march::BlockRange part = layout.part(problem.part_of(e));
        CHECK(layout.slot(e) / 4 - part.first < part.count);
      }
      CHECK(slots.size() == situation->mesh.global_id.size());
      for (const auto& [block, found] : of_block) CHECK(found.size() == 1);
      for (const auto& list : march::elements_by_region(problem, march::regions_in_blocks(problem)))
        for (std::size_t i = 0; i < list.elements.size(); ++i)
          CHECK(layout.slot(list.elements[i]) == layout.slot(list.elements.front()) + static_cast<std::int32_t>(i));
    }
}
