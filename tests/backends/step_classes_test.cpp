// Local time stepping: the schedule against the dense reference, and what it must not change.
#include "march/step_classes.hpp"

#include "base/names.hpp"
#include "catch.hpp"
#include "host/engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

std::unique_ptr<march::Engine> make_engine(const Situation& situation, int threads = 1) {
  march::EngineOptions options;
  options.threads = threads;
  return host::make_engine(situation.problem, options, Communicator::self());
}

}  // namespace

TEST_CASE("classes of steps march as the dense reference") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2})
    for (const auto& name : class_situation_names()) {
      if (name.rfind("dispersion", 0) == 0 || name.rfind("surface", 0) == 0 || name.rfind("ports", 0) == 0) continue;
      const auto situation = make_situation(name, space, 4, Communicator::self());
      REQUIRE(situation->problem.classes.count == 3);
      const auto engine = make_engine(*situation);
      const march::Start start = situation->make_start(0.9 * engine->find_stable_step(), 5);
      INFO(name << ", " << tetrawave::name_of(space));
      CHECK(largest_difference(run_engine(*engine, start, {5}), run_reference(*situation, start)) < 1e-12);
    }
}
