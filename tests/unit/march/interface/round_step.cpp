#include "march/interface/round_step.hpp"

#include "catch.hpp"

using tetrawave::march::round_step_down;
using tetrawave_tests::Approx;

TEST_CASE("a stable step keeps six digits and is never rounded up") {
  CHECK(round_step_down(1.23456789e-4) == Approx(1.23456e-4).epsilon(1e-13));
  CHECK(round_step_down(9.99999999) == Approx(9.99999).epsilon(1e-13));
  CHECK(round_step_down(7.5e-13) == Approx(7.5e-13).epsilon(2e-6));
  for (const double dt : {1.0000009, 0.31830988, 6.0221e-7}) {
    CHECK(round_step_down(dt) <= dt);
    CHECK(round_step_down(dt) > dt * (1 - 1e-5));
  }
}
