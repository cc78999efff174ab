#include "catch.hpp"
#include "failure.hpp"
#include "host/engine.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

std::string refusal(const BoxProblem& box) {
  const auto failure = catch_failure([&] { (void)host::make_engine(box.problem, {}, comm::Communicator::world()); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure.text;
}

}  // namespace

TEST_CASE("what no kernel marches is refused when the engine is made") {
  Medium dispersive;
  dispersive.electric_poles = {{1, 1, 0, 1, 0}};
  Medium crystal;
  crystal.eps_axes = {1, 1, 2};
  const auto box = unit_box(1);
  CHECK(refusal({box, Space::mixed_1, {}, dispersive}) == "dispersive media are not available yet in this version");
  CHECK(refusal({box, Space::mixed_1, {}, crystal}) == "anisotropic media are not available yet in this version");
  CHECK(refusal({box, Space::mixed_1, {{"x0", march::Wall::impedance}}}) ==
        "impedance boundaries are not available yet in this version");
}
