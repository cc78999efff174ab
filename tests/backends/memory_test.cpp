// What engines/memory_plan.hpp predicts against what engines allocate.
#include "engines/memory_plan.hpp"

#include "base/names.hpp"
#include "catch.hpp"
#include "engines/engine_on.hpp"
#include "engines/host/engine.hpp"
#include "failure.hpp"
#include "host/host_backend.hpp"
#include "march/elements/layout.hpp"
#include "support/array_problem.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr std::int64_t steps = 1000;

/// The CPU with as much memory as a test says; its engines are only counted.
struct FullBackend : host::HostBackend {
  std::int64_t free = 0;
  std::shared_ptr<int> engines = std::make_shared<int>(0);
  using host::HostBackend::HostBackend;
  [[nodiscard]] std::int64_t free_bytes(int /*ranks*/) const { return free; }
};

struct Method {
  Scheme scheme;
  Space space;
  Layout layout;
  Precision precision;
  Dispersion dispersion = Dispersion::passive;
};

template <class Case>
void check_plan_of(const std::string& name, Case& given, const Method& method) {
  given.problem.scheme = method.scheme;
  given.problem.layout = method.layout;
  given.problem.sums_jumps = method.scheme == Scheme::dgtd_upwind;
  for (Medium& medium : given.problem.media) medium.dispersion = method.dispersion;
  const march::MemoryPlan plan = march::plan_memory(given.problem, given.make_start(1e-4, steps), method.precision,
                                                    host::memory_traits(), 1, Communicator::world());
  host::HostBackend backend(1);
  march::MemoryCount& count = backend.count();
  const auto engine = march::make_engine_on(backend, given.problem, method.precision, Communicator::world());
  const double limit = engine->find_stable_step();
  INFO(name << ", " << name_of(method.scheme) << ", " << tetrawave::name_of(method.space) << ", "
            << name_of(method.layout) << ", " << name_of(method.precision));
  CHECK(count.peak == plan.search);
  count.peak = engine->device_memory_bytes();
  engine->start(given.make_start(0.9 * limit, steps));
  if (given.problem.starts_factored()) engine->advance(1);
  CHECK(engine->device_memory_bytes() == plan.march);
  CHECK(count.peak == plan.start);
}

/// Set-up and the search for the step take the time: of few elements, but where everything is there and with classes of
/// steps. What is counted per element or block of lanes is counted by these.
void check_plan(const std::string& name, const Method& method) {
  const bool takes_long = method.layout == Layout::stored || method.space >= Space::full_2;
  const bool in_classes = name.find("in classes") != std::string::npos;
  const std::int64_t cells = name == "everything" || (in_classes && !takes_long) ? 4 : 2;
  check_plan_of(name, *make_situation(name, method.space, cells, Communicator::world()), method);
}

}  // namespace

namespace tetrawave::march {
template <>
std::unique_ptr<Engine> make_engine_of<double>(FullBackend backend, const Problem&, const Communicator&) {
  ++*backend.engines;
  return nullptr;
}
template <>
std::unique_ptr<Engine> make_engine_of<float>(FullBackend backend, const Problem&, const Communicator&) {
  ++*backend.engines;
  return nullptr;
}
}  // namespace tetrawave::march

TEST_CASE("the plan of device memory knows geometry that cells share, to the byte") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const Layout layout : {Layout::factored, Layout::stored}) {
        ArrayProblem array({6, 5}, Space::mixed_1);
        if (precision == Precision::single_precision && layout == Layout::stored) continue;
        CHECK_FALSE(march::lay_out_elements<double>(array.problem, 8, 1).shared.number.empty());
        check_plan_of("array", array, {scheme, Space::mixed_1, layout, precision});
      }
  ArrayProblem array({6, 5}, Space::mixed_2);
  check_plan_of("array", array, {Scheme::dfdd_eld, Space::mixed_2, Layout::factored, Precision::double_precision});
}

TEST_CASE("the plan of device memory is what is allocated, to the byte") {
  const Scheme scheme = GENERATE(Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind);
  for (const Space space : {Space::mixed_1, Space::full_1, Space::full_2, Space::mixed_3})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const auto& name : all_situation_names())
        for (const Layout layout : {Layout::factored, Layout::stored})
          if ((space < Space::full_2 && (space == Space::full_1 || precision == Precision::double_precision)) ||
              name == "dispersion")
            check_plan(name, {scheme, space, layout, precision});
}

TEST_CASE("the plan of device memory knows metal that holds E at zero, to the byte") {
  for (const char* name : {"everything with metal held", "absorbing layers with metal held",
                           "everything with metal held in classes", "ports of one mode in classes"})
    for (const Layout layout : {Layout::factored, Layout::stored})
      if (layout == Layout::factored || std::string(name).find("layers") == std::string::npos)
        check_plan(name, {Scheme::dgtd_central, Space::full_1, layout, Precision::double_precision});
  for (const char* name : {"everything with metal held", "ports of one mode", "guides of one mode"}) {
    for (const Layout layout : {Layout::factored, Layout::stored})
      check_plan(name, {Scheme::dgtd_upwind, Space::full_1, layout, Precision::double_precision});
    check_plan(name + std::string(" in classes"),
               {Scheme::dgtd_upwind, Space::full_1, Layout::factored, Precision::double_precision});
  }
  check_plan("guides of one mode",
             {Scheme::dgtd_central, Space::full_1, Layout::factored, Precision::double_precision});
  for (const char* name : {"ports of one mode", "walls and ports of one mode", "guides of one mode in classes"})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      check_plan(name, {Scheme::dfdd_eld, Space::full_1, Layout::factored, precision});
  check_plan("guides of one mode", {Scheme::dfdd_eld, Space::mixed_1, Layout::stored, Precision::double_precision});
}

TEST_CASE("the plan of device memory knows classes of time steps, to the byte") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld})
    for (const char* name : {"everything in classes", "dispersion in classes", "ports with memory in classes"})
      for (const Layout layout : {Layout::factored, Layout::stored})
        check_plan(name, {scheme, Space::full_1, layout, Precision::double_precision});
  for (const char* name : {"everything in classes", "dispersion in classes", "axes and losses in classes",
                           "ports with memory in classes", "absorbing layers in classes", "conductors in classes"})
    check_plan(name, {Scheme::dgtd_upwind, Space::full_1, Layout::factored, Precision::double_precision});
}

TEST_CASE("the plan of device memory counts published terms of dispersion") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld})
    for (const Layout layout : {Layout::factored, Layout::stored})
      for (const auto& name : {"dispersion", "everything"})
        for (const Space space : {Space::full_1, Space::mixed_2})
          check_plan(name, {scheme, space, layout, Precision::double_precision, Dispersion::published});
}

TEST_CASE("the plan of device memory knows conductors, to the byte") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      check_plan("conductors", {scheme, Space::full_1, Layout::factored, precision});
  check_plan("conductors", {Scheme::dgtd_upwind, Space::full_1, Layout::stored, Precision::double_precision});
}

TEST_CASE("the plan of device memory knows absorbing layers, to the byte") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      check_plan("absorbing layers", {scheme, Space::full_1, Layout::factored, precision});
  check_plan("absorbing layers", {Scheme::dgtd_upwind, Space::full_1, Layout::stored, Precision::double_precision});
}

TEST_CASE("a march that does not fit into memory is refused before its engine is made, with figures") {
  const auto situation = make_situation("closed vacuum", Space::full_1, 2, Communicator::self());
  FullBackend backend(1);
  backend.free = 100'000;
  const auto refuse = [&](Layout layout, Precision precision) {
    situation->problem.layout = layout;
    return catch_failure([&] { march::make_engine_on(backend, situation->problem, precision, Communicator::self()); });
  };
  const Failure factored = refuse(Layout::factored, Precision::double_precision);
  CHECK(factored.code == ExitCode::out_of_memory);
  CHECK_THAT(factored.text, ContainsSubstring("the 48 elements of a rank need "));
  CHECK_THAT(factored.text, ContainsSubstring("only during set-up), but 100 kB are free on cpu "));
  CHECK_THAT(factored.text, ContainsSubstring(": use more ranks, method.precision: single or a coarser mesh"));
  const Failure stored = refuse(Layout::stored, Precision::single_precision);
  // 48 elements in 3 blocks of 16, two fields of 12 x 48 numbers of 4 bytes
  CHECK_THAT(stored.text, ContainsSubstring("(221 kB for the matrices of layout: stored"));
  CHECK_THAT(stored.text, ContainsSubstring(": use more ranks, method.layout: factored or a coarser mesh"));
  CHECK(*backend.engines == 0);
  backend.free = std::int64_t{1} << 50;
  march::make_engine_on(backend, situation->problem, Precision::double_precision, Communicator::self());
  CHECK(*backend.engines == 1);
}
