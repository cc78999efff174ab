// Dense matrices of the search for the step of DGTD-Upwind.
#include <cmath>
#include <complex>

#include "catch.hpp"
#include "schemes/upwind/spectrum.hpp"

using namespace tetrawave::march;
using tetrawave_tests::Approx;

namespace {

/// Eigenvalues -0.4 +- 1.3j of the largest modulus and three smaller ones, in a basis that is not orthogonal.
SmallMatrix with_complex_pair(double disturbance) {
  SmallMatrix a(5);
  a(0, 0) = a(1, 1) = -0.4;
  a(0, 1) = 1.3 + disturbance;
  a(1, 0) = -1.3;
  a(2, 2) = -1.1;
  a(3, 3) = -0.3;
  a(4, 4) = -0.9;
  for (std::size_t i = 0; i < 4; ++i) a(i, i + 1) += 0.2;
  return a;
}

}  // namespace

TEST_CASE("the direction of a complex pair does not depend on last bits of the matrix") {
  const auto exact = Spectrum(with_complex_pair(0)).dominant_direction();
  double length = 0;
  for (const double x : exact) length += x * x;
  CHECK(std::abs(length - 1) < 1e-12);
  for (const double disturbance : {1e-15, 1e-14, -3e-14, 1e-13}) {
    const auto other = Spectrum(with_complex_pair(disturbance)).dominant_direction();
    for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(exact[i] - other[i]) < 1e-11);
  }
}

TEST_CASE("the direction of a real eigenvalue is its eigenvector") {
  SmallMatrix a(2);
  a(0, 0) = -2;
  a(0, 1) = 1;
  a(1, 1) = -1;
  const auto direction = Spectrum(a).dominant_direction();
  CHECK(std::abs(std::abs(direction[0]) - 1) < 1e-12);
  CHECK(std::abs(direction[1]) < 1e-12);
}

TEST_CASE("the step of LSERK54 is that of the eigenvalue that leaves its region first") {
  SmallMatrix a(4);  // +- 3j, and -8 and -1 in a basis that is not orthogonal
  a(0, 1) = 3;
  a(1, 0) = -3;
  a(2, 2) = -8;
  a(2, 3) = 5;
  a(3, 3) = -1;
  const auto factor = [](std::complex<double> z) {  // the fourth order's polynomial and the method's own fifth term
    return std::abs(1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0 + z * z * z * z * z / 200.0);
  };
  const double limit = Spectrum(a).runge_kutta_limit();
  CHECK(factor(-8 * 0.999 * limit) < 1);
  CHECK(factor(-8 * 1.001 * limit) > 1);
  CHECK(factor({0, 3 * limit}) < 1);
  CHECK(Spectrum(a).radius() == Approx(8));
  CHECK(Spectrum(a).radius(9) == Approx(std::hypot(9, 3)));
  CHECK(std::abs(Spectrum(a).growing_direction(1.001 * limit)[2]) == Approx(1));
}

TEST_CASE("of several largest eigenvalues the direction is the first axis' part in all their modes") {
  SmallMatrix a(3);
  a(0, 0) = 2;
  a(0, 1) = 1;
  a(1, 1) = -2;
  a(2, 2) = 1;
  const auto direction = Spectrum(a).dominant_direction();
  CHECK(std::abs(direction[0]) == Approx(1));
  CHECK(std::abs(direction[2]) < 1e-12);
}
