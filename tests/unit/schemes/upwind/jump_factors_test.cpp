// The power that the upwind flux takes from jumps.
#include <cmath>

#include "catch.hpp"
#include "schemes/upwind/coefficients.hpp"

using namespace tetrawave::schemes;
using tetrawave_tests::Approx;

namespace {

/// Tangential E, and n x H with the normal of one side.
struct Trace {
  double e = 0;
  double h = 0;
};

double power(const FaceCoefficients& face, const Trace& own, const Trace& other) {
  const auto [outer_e, of_e, outer_h, of_h] = jump_factors(face);
  return of_e * std::pow(outer_e * other.e - own.e, 2) + of_h * std::pow(outer_h * other.h - own.h, 2);
}

}  // namespace

TEST_CASE("the factors of jumps at a face give the power between traces and the upwind state") {
  const double z = 0.6, z_other = 1.7;
  const double y = 1 / z, y_other = 1 / z_other;
  const Trace own{1.3, -0.4}, other{-0.2, 2.1};
  const double state = (y * own.e + y_other * other.e + other.h - own.h) / (y + y_other);
  const double exact = y * std::pow(own.e - state, 2) + y_other * std::pow(other.e - state, 2);
  const double found = power(upwind_face(z, z_other, 0), own, other) + power(upwind_face(z_other, z, 0), other, own);
  CHECK(found == Approx(exact));
}

TEST_CASE("closed walls take power of the field that they exclude, sheets, open walls and ports of one mode none") {
  const Trace own{1.3, -0.4};
  const double z = 0.6;
  const auto at = [&](WallSpec::Kind kind, double admittance) {
    return power(upwind_wall(WallSpec{kind, admittance}, z), own, own);
  };
  CHECK(at(WallSpec::Kind::electric, 0) == Approx(own.e * own.e / z));
  CHECK(at(WallSpec::Kind::magnetic, 0) == Approx(own.h * own.h * z));
  CHECK(at(WallSpec::Kind::open, 1 / z) == 0);
  CHECK(at(WallSpec::Kind::one_mode, 0) == 0);
  CHECK(power(upwind_face(z, z, 0.5), own, {2, 3}) == 0);
  CHECK(power(FaceCoefficients{0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0}, own, {2, 3}) == 0);  // at edges of metal
}
