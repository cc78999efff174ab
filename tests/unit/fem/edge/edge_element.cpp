#include "fem/edge/edge_element.hpp"

#include "catch.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/edge_matrices.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

TEMPLATE_TEST_CASE("rows of an element of edge functions are its matrices by quadrature, in media with axes", "",
                   double, Complex) {
  using Coefficients = EdgeCoefficients<TestType>;
  Random random(1);
  double worst = 0;
  for (const Space space : nested_spaces) {
    INFO(name_of(space));
    std::array<int, 2> signs{};
    for (int element = 0; element < 24; ++element) {
      const auto corners = random.corners();
      ++signs[basis::PhysicalElement(space, corners).sign() > 0 ? 1 : 0];
      const QuadratureElement exact(space, corners);
      const auto stiffness = random.triple<TestType>(), mass = random.triple<TestType>();
      auto curls = stiffness_by_quadrature(exact, stiffness);
      const auto fields = mass_by_quadrature(exact, mass);
      const double error = std::max(distance(rows_of(space, corners, Coefficients{stiffness, {}}), curls),
                                    distance(rows_of(space, corners, Coefficients{{}, mass}), fields));
      add(curls, fields);
      worst = std::max({worst, error, distance(rows_of(space, corners, Coefficients{stiffness, mass}), curls)});
    }
    CHECK(signs[0] > 4);
    CHECK(signs[1] > 4);
  }
  CHECK(worst < 1e-12);
}
