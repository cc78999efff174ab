// Tables of waves that hold some steps at once.
#include "base/names.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/interface/wave_window.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;

TEST_CASE("waves that come to the device some steps at a time are those that come at once, to the last bit") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind})
    for (const char* name : {"driven faces", "everything in classes"}) {
      INFO(name_of(scheme) << ", " << name);
      constexpr std::int64_t steps = 150;
      const auto situation = make_situation(name, Space::mixed_1, 2, Communicator::self());
      situation->problem.scheme = scheme;
      if (scheme == Scheme::dgtd_upwind && situation->problem.classes.count > 1) continue;
      const auto engine = host::make_engine(situation->problem, {}, Communicator::self());
      auto start = situation->make_start(0.5 * engine->find_stable_step(), steps);
      start.electric.reset();
      start.magnetic.reset();
      const Outcome expected = run_engine(*engine, start, {steps});
      start.wave_numbers = 1;
      const Outcome found = run_engine(*engine, start, {70, 1, 79});
      CHECK(march::steps_of_waves(steps, 5, false, 1) == 64);
      CHECK(are_identical(expected, found));
      CHECK(largest_difference(expected.electric, std::vector<double>(expected.electric.size(), 0.0)) > 0);
    }
}

TEST_CASE("a device holds all waves of a march unless they are very many") {
  CHECK(march::steps_of_waves(1000, 5, false) == 1001);
  CHECK(march::steps_of_waves(20000, 102401, false) == march::most_wave_numbers / 102401);
  CHECK(march::steps_of_waves(20000, 102401, true) == 20001);
  CHECK(march::steps_of_waves(10, 102401, false, 1) == 11);
}
