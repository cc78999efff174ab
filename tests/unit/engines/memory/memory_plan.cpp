#include "engines/memory/memory_plan.hpp"

#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

/// Whole blocks of vacuum on one rank.
ProblemCounts vacuum(std::int64_t elements) {
  ProblemCounts counts;
  counts.space = Space::full_1;
  counts.inner = counts.all_elements = elements;
  counts.block_groups = {elements};
  counts.classes = 1;
  counts.steps = 100;
  return counts;
}

std::int64_t bytes_of(std::int64_t elements, Precision precision) {
  return plan_device(vacuum(elements), precision, {}).march();
}

}  // namespace

TEST_CASE("the plan grows by the numbers of an element: two fields, its metric, its neighbours and its word") {
  const std::int64_t many = 16000, more = 32000;
  // full-1 has 12 dofs; 6 numbers of metric, one of sums, 4 neighbours and a word of 4 bytes
  const std::int64_t least = 2 * 12 * 8 + 6 * 8 + 8 + 5 * 4;
  const std::int64_t found = bytes_of(more, Precision::double_precision) - bytes_of(many, Precision::double_precision);
  CHECK(found % (more - many) == 0);
  CHECK(found / (more - many) == least);
}

TEST_CASE("single precision halves all but the integers") {
  const std::int64_t many = 16000, more = 32000;
  const std::int64_t found = bytes_of(more, Precision::single_precision) - bytes_of(many, Precision::single_precision);
  CHECK(found / (more - many) == (2 * 12 + 6 + 1) * 4 + 5 * 4);
}

TEST_CASE("a plan that exceeds the device is refused with figures and what helps") {
  const ProblemCounts counts = vacuum(16000);
  const DevicePlan plan = plan_device(counts, Precision::double_precision, {});
  check_memory(plan, counts, Precision::double_precision, plan.peak(), "a device");
  const auto failure =
      catch_failure([&] { check_memory(plan, counts, Precision::double_precision, plan.peak() - 1, "a device"); });
  CHECK(failure.code == ExitCode::out_of_memory);
  CHECK_THAT(failure.text, ContainsSubstring("the 16000 elements of a rank need"));
  CHECK_THAT(failure.text, ContainsSubstring("are free on a device: use more ranks, method.precision: single or"));
}
