#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

double stable_step(Space space) {
  BoxProblem box(unit_box(2), space, {});
  return host::make_engine(box.problem, {}, comm::Communicator::world())->find_stable_step();
}

}  // namespace

TEST_CASE("the stable step of DGTD-Central on the Kuhn cube is the given one") {
  CHECK(stable_step(Space::mixed_1) == Approx(.099481).epsilon(1e-4));
  CHECK(stable_step(Space::full_1) == Approx(.090458).epsilon(1e-4));
  CHECK(stable_step(Space::mixed_2) == Approx(.059256).epsilon(1e-4));
  CHECK(stable_step(Space::full_2) == Approx(.055652).epsilon(1e-4));
  CHECK(stable_step(Space::mixed_3) == Approx(.0381308).epsilon(1e-5));  // the dense operator, in another program
  CHECK(stable_step(Space::full_3) == Approx(.0366314).epsilon(1e-5));
}
