#include "modes/eigenmode/resonances.hpp"

#include <cmath>
#include <complex>

#include "catch.hpp"
#include "modes/eigenmode/eigenmode.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using tetrawave_tests::Approx;

TEST_CASE("Q is 2 pi times the stored energy over that lost in a period") {
  Resonance resonance;
  resonance.hz = {3e9, 1e6};
  // energy decays as exp(-4 pi Im f t)
  const double lost_in_period = 1 - std::exp(-4 * 3.14159265358979 * 1e6 / 3e9);
  CHECK(resonance.q() == Approx(2 * 3.14159265358979 / lost_in_period).epsilon(5e-3));
  CHECK(resonance.q() == 1500);
}

TEST_CASE("a resonance that loses no more than rounding has no finite Q") {
  Resonance resonance;
  resonance.hz = {3e9, 3e9 * 1e-17};
  CHECK(std::isinf(resonance.q()));
}

TEST_CASE("a search for more resonances takes more solutions") {
  EigenmodeSpec few, many;
  few.count = 2;
  many.count = 10;
  CHECK(expected_solutions(many) > expected_solutions(few));
  CHECK(expected_solutions(few) > few.count);
}
