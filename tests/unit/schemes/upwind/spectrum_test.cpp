// Dense matrices of the search for the step of DGTD-Upwind.
#include <cmath>

#include "catch.hpp"
#include "schemes/upwind/spectrum.hpp"

using namespace tetrawave::march;

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
  const auto exact = dominant_direction(with_complex_pair(0));
  double length = 0;
  for (const double x : exact) length += x * x;
  CHECK(std::abs(length - 1) < 1e-12);
  for (const double disturbance : {1e-15, 1e-14, -3e-14, 1e-13}) {
    const auto other = dominant_direction(with_complex_pair(disturbance));
    for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(exact[i] - other[i]) < 1e-11);
  }
}

TEST_CASE("the direction of a real eigenvalue is its eigenvector") {
  SmallMatrix a(2);
  a(0, 0) = -2;
  a(0, 1) = 1;
  a(1, 1) = -1;
  const auto direction = dominant_direction(a);
  CHECK(std::abs(std::abs(direction[0]) - 1) < 1e-12);
  CHECK(std::abs(direction[1]) < 1e-12);
}
