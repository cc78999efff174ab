#include "kernels/spaces.hpp"

#include "base/error.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::kernels;

namespace {

template <int most>
int dofs_in(Space space) {
  int dofs = 0;
  with_basis<most>(space, [&dofs]<class Basis>() { dofs = Basis::dofs; });
  return dofs;
}

}  // namespace

TEST_CASE("a kernel of a space has its number of unknowns") {
  CHECK(dofs_in<4>(Space::mixed_1) == 6);
  CHECK(dofs_in<3>(Space::full_3) == 60);
  CHECK(dofs_in<4>(Space::full_3) == 60);
  CHECK(dofs_in<4>(Space::full_4) == 105);
}

TEST_CASE("a space without kernels is an error that names it") {
  CHECK_THROWS_WITH(dofs_in<4>(Space::nested_full_3), tetrawave_tests::ContainsSubstring("full-3 of finite elements"));
  CHECK_THROWS_WITH(dofs_in<3>(Space::full_4), tetrawave_tests::ContainsSubstring("full-4"));
  CHECK_THROWS_AS(with_basis_of_degrees_1_2(Space::mixed_3, []<class>() {}), InternalError);
}
