#include "modes/assembly_2d/setup.hpp"

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "modes/assembly_2d/run.hpp"
#include "support/static_problems.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

TriangleMesh make_strip() {
  RectangleMesh spec;
  spec.size_m = {2, 1};
  spec.cells = {4, 2};
  TriangleMesh mesh = make_rectangle(spec);
  mesh.region_names = {"air"};
  return mesh;
}

Case make_case(Equation2D equation, const std::vector<std::pair<std::string, double>>& potentials,
               const std::vector<std::pair<std::string, double>>& currents = {}) {
  Material air;
  air.name = "air";
  return make_static_case(equation, potentials, currents, {air});
}

Failure refusal(const Case& given, const TriangleMesh& mesh = make_strip()) {
  const Failure failure = catch_failure([&] { (void)modes::make_static_problem(given, mesh); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure;
}

}  // namespace

TEST_CASE("unknown nodes come first, fixed ones keep their potential") {
  const TriangleMesh mesh = make_strip();
  const auto setup = modes::make_static_problem(make_case(Equation2D::electrostatic, {{"x0", 1}, {"x1", 4}}), mesh);
  CHECK(setup.problem.free_count == 9);
  CHECK(setup.problem.fixed == std::vector<double>{1, 1, 1, 4, 4, 4});
  CHECK(setup.problem.coefficient == std::vector<double>{eps0_f_per_m});
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    CHECK(setup.problem.nodes[static_cast<std::size_t>(setup.problem.number_of[i])] == mesh.nodes[i]);
  const auto values = setup.problem.complete(std::vector<double>(9, 2));
  CHECK(values[8] == 2);
  CHECK(values[14] == 4);
}

TEST_CASE("the axisymmetric unknown is A_phi/r, free on the axis") {
  const auto setup = modes::make_static_problem(
      make_case(Equation2D::magnetostatic_axisymmetric, {{"x0", 0}, {"x1", 6}}), make_strip());
  CHECK(setup.problem.free_count == 12);
  CHECK(setup.problem.fixed == std::vector<double>{3, 3, 3});
  CHECK_THAT(refusal(make_case(Equation2D::magnetostatic_axisymmetric, {{"x0", 1}})).text,
             ContainsSubstring("A_phi is 0 on the axis"));
  TriangleMesh mesh = make_strip();
  for (Point2& node : mesh.nodes) node[0] -= 1;
  CHECK_THAT(refusal(make_case(Equation2D::magnetostatic_axisymmetric, {{"x1", 0}}), mesh).text,
             ContainsSubstring("the mesh goes to x = -1"));
}

TEST_CASE("names that the mesh does not have are refused, all in one run") {
  Case given = make_case(Equation2D::magnetostatic, {{"x3", 1}, {"top", 2}}, {{"airr", 1}});
  const Failure failure = refusal(given);
  CHECK_THAT(failure.text,
             ContainsSubstring("assembly_2d.potentials: the mesh has no curve 'x3' (did you mean 'x0'?)"));
  CHECK_THAT(failure.text, ContainsSubstring("the mesh has no curve 'top'"));
  CHECK_THAT(failure.text, ContainsSubstring("the mesh has no surface 'airr' (did you mean 'air'?)"));
}

TEST_CASE("contradictions of potentials and currents are refused") {
  CHECK_THAT(refusal(make_case(Equation2D::electrostatic, {{"x0", 1}, {"y0", 2}})).text,
             ContainsSubstring("'x0' and 'y0' have a node in common, but different potentials"));
  CHECK_THAT(refusal(make_case(Equation2D::electrostatic, {})).text, ContainsSubstring("no potential is given"));
  CHECK_THAT(refusal(make_case(Equation2D::electrostatic, {{"x0", 1}}, {{"air", 1}})).text,
             ContainsSubstring("the electrostatic equation has no currents"));
}

TEST_CASE("the capacitance is the charge of the highest potential over the voltage") {
  const Case given = make_case(Equation2D::electrostatic, {{"x0", 10}, {"x1", 4}});
  const auto setup = modes::make_static_problem(given, make_strip());
  std::vector<double> values(15);  // V = 10 - 3 x
  for (std::size_t i = 0; i < 15; ++i) values[i] = 10 - 3 * setup.problem.nodes[i][0];
  const auto quantities = modes::find_quantities(setup, values);
  CHECK(*quantities.capacitance == Approx(eps0_f_per_m / 2));
  CHECK(quantities.energy == Approx(eps0_f_per_m / 4 * 36));
  REQUIRE(quantities.charges.size() == 2);
  CHECK(quantities.charges[0] == Approx(3 * eps0_f_per_m));
  CHECK(quantities.charges[1] == Approx(-3 * eps0_f_per_m));
}
