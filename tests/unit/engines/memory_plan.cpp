#include "engines/memory_plan.hpp"

#include "catch.hpp"
#include "failure.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using comm::Communicator;
using tetrawave_tests::BoxProblem;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

/// A box of 6 n^3 elements of vacuum, whole blocks of 32 on one rank.
BoxProblem box_of(std::int64_t cells) {
  return {tetrawave_tests::unit_box(cells), Space::full_1, {}, {}, Communicator::self()};
}

std::int64_t bytes_of(std::int64_t cells, Precision precision, const BackendTraits& traits = {}) {
  const BoxProblem box = box_of(cells);
  Start start;
  start.dt_m = 1e-3;
  start.steps = 100;
  return plan_memory(box.problem, start, precision, traits, 1, Communicator::self()).march;
}

/// Bytes of an element without walls, between boxes whose surfaces are as large: third differences of 6 n^3.
std::int64_t bytes_of_element(Precision precision, const BackendTraits& traits = {}) {
  const std::int64_t third = bytes_of(20, precision, traits) - 3 * bytes_of(16, precision, traits) +
                             3 * bytes_of(12, precision, traits) - bytes_of(8, precision, traits);
  constexpr std::int64_t elements = 6 * 6 * 4 * 4 * 4;
  CHECK(third % elements == 0);
  return third / elements;
}

}  // namespace

TEST_CASE("the plan grows by the numbers of an element: two fields, its metric, its neighbours and its word") {
  // full-1 has 12 dofs; 6 numbers of metric, one of sums, 4 neighbours and a word of 4 bytes
  CHECK(bytes_of_element(Precision::double_precision) == 2 * 12 * 8 + 6 * 8 + 8 + 5 * 4);
  CHECK(bytes_of_element(Precision::double_precision, {32, 32, false}) == 2 * 12 * 8 + 6 * 8 + 8 + 5 * 4);
}

TEST_CASE("single precision halves all but the integers") {
  CHECK(bytes_of_element(Precision::single_precision) == (2 * 12 + 6 + 1) * 4 + 5 * 4);
}

TEST_CASE("the search for the step of DGTD-Upwind holds 25 pairs of fields in double precision") {
  BoxProblem box = box_of(8);
  Start start;
  start.dt_m = 1e-3;
  const auto plan_of = [&](Scheme scheme) {
    box.problem.scheme = scheme;
    return plan_memory(box.problem, start, Precision::double_precision, {}, 1, Communicator::self());
  };
  const std::int64_t field = (6 * 8 * 8 * 8 + 8) * 12 * 8;
  const MemoryPlan upwind = plan_of(Scheme::dgtd_upwind), central = plan_of(Scheme::dgtd_central);
  CHECK(upwind.search - upwind.march > 50 * field);
  CHECK(upwind.search - upwind.march < 53 * field);  // with a field of work, and the elements
  CHECK(central.search - central.march < field);
}

TEST_CASE("a plan that exceeds the device is refused with figures and what helps") {
  const BoxProblem box = box_of(8);
  MemoryPlan plan;
  plan.march = 700'000;
  plan.search = 900'000;
  check_memory(plan, box.problem, Precision::double_precision, {900'000, "a device"});
  const auto failure = catch_failure([&] {
    check_memory(plan, box.problem, Precision::double_precision, {899'999, "a device"});
  });
  CHECK(failure.code == ExitCode::out_of_memory);
  CHECK_THAT(failure.text, ContainsSubstring("the 3072 elements of a rank need 900 kB (200 kB only during set-up)"));
  CHECK_THAT(failure.text, ContainsSubstring("are free on a device: use more ranks, method.precision: single or"));
}

TEST_CASE("a run of DFDD-ELD from rest needs no memory for given fields") {
  BoxProblem box = box_of(8);
  box.problem.scheme = Scheme::dfdd_eld;
  Start start;
  start.dt_m = 1e-3;
  const auto check = [&](std::int64_t free) {
    check_memory(box.problem, Precision::double_precision, {}, {free, "a device"}, Communicator::self());
  };
  const auto plan = [&] {
    return plan_memory(box.problem, start, Precision::double_precision, {}, 1, Communicator::self()).peak();
  };
  const std::int64_t at_rest = plan();
  start.electric = start.magnetic = std::vector<double>(6 * 8 * 8 * 8 * 12, 0.0);
  const std::int64_t given = plan();
  REQUIRE(given > at_rest);
  check(at_rest);
  CHECK(catch_failure([&] { check(at_rest - 1); }).code == ExitCode::out_of_memory);
  box.problem.has_initial_fields = true;
  check(given);
  CHECK(catch_failure([&] { check(given - 1); }).code == ExitCode::out_of_memory);
}
