// Parts of the search for the stable step.
#include "schemes/leap_frog/stable_step.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;

TEST_CASE("the largest eigenvalue of the second difference is 2 + 2 cos(pi/(n + 1))") {
  for (const std::size_t n : {1ul, 2ul, 7ul, 40ul}) {
    const std::vector<double> diagonal(n, 2), beside(n - 1, -1);
    CHECK(largest_eigenvalue(diagonal, beside) ==
          Approx(2 + 2 * std::cos(pi / static_cast<double>(n + 1))).epsilon(1e-12));
  }
}

TEST_CASE("the largest eigenvalue of a decoupled matrix is its largest entry") {
  CHECK(largest_eigenvalue({1, 5, 3}, {0, 0}) == Approx(5).epsilon(1e-12));
  CHECK(largest_eigenvalue({2, 2}, {3}) == Approx(5).epsilon(1e-12));
}

TEST_CASE("start values of elements and dofs are spread evenly over -1 to 1") {
  double sum = 0, squares = 0;
  constexpr int elements = 400, dofs = 30;
  for (GlobalIndex e = 1; e <= elements; ++e)
    for (int i = 0; i < dofs; ++i) {
      const double x = start_value(e, i);
      CHECK_FALSE(std::abs(x) > 1);
      sum += x;
      squares += x * x;
    }
  CHECK(std::abs(sum / (elements * dofs)) < 0.02);
  CHECK(squares / (elements * dofs) == Approx(1. / 3).epsilon(0.03));
}
