// Statics against closed forms and independent references, on meshes made without Gmsh.
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "host/static_solver.hpp"
#include "modes/assembly_2d/run.hpp"
#include "support/static_problems.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

Material material(const std::string& name, double mu_r = 1) {
  Material spec;
  spec.name = name;
  spec.mu_r = mu_r;
  return spec;
}

struct Solved {
  TriangleMesh mesh;
  modes::StaticSetup setup;
  std::vector<double> values;
  modes::StaticQuantities quantities;

  /// At the node nearest to a point.
  [[nodiscard]] double at(double x, double y) const {
    const auto distance = [&](const Point2& node) { return std::hypot(node[0] - x, node[1] - y); };
    const auto& nodes = setup.problem.nodes;
    const auto nearest = std::min_element(nodes.begin(), nodes.end(),
                                          [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    CHECK(distance(*nearest) < 1e-9);
    return values[static_cast<std::size_t>(nearest - nodes.begin())];
  }
};

Solved solve(Case given, TriangleMesh mesh, int order, const std::function<Point2(Point2)>& map = {}) {
  Solved solved;
  if (order == 2) mesh = add_midside_nodes(mesh);
  if (map)
    for (Point2& node : mesh.nodes) node = map(node);
  given.assembly_2d.order = order;
  given.assembly_2d.algorithm = Algorithm2D::a_fem;
  given.assembly_2d.tolerance = 1e-11;
  given.run.threads = 1;
  solved.setup = modes::make_static_problem(given, mesh);
  modes::SerialReference reference;
  solved.values = modes::run_static(solved.setup, host::solve_static, reference).values;
  solved.quantities = modes::find_quantities(solved.setup, solved.values);
  solved.mesh = std::move(mesh);
  return solved;
}

/// Lines that get denser towards the ends that have `dense`.
std::vector<double> lines(double from, const std::vector<double>& stops, int pieces, double ratio) {
  std::vector<double> values{from};
  for (const double stop : stops) {
    const double middle = (values.back() + stop) / 2;
    append_graded(values, middle, pieces, ratio);
    append_graded(values, stop, pieces, 1 / ratio);
  }
  return values;
}

/// Relative error of the capacitance of a quarter of a coaxial line, b/a = 3, `cells` along each side.
double coaxial_error(int cells, int order) {
  std::vector<double> radius{1}, angle{0};
  append_graded(radius, 3, cells, 1);
  append_graded(angle, pi / 2, cells, 1);
  const auto mesh = make_grid(
      radius, angle, [](Point2) { return "air"; },
      [](Point2 p) { return p[0] == 1 ? "inner" : (p[0] == 3 ? "outer" : ""); });
  const Case given = make_static_case(Equation2D::electrostatic, {{"inner", 1}, {"outer", 0}}, {}, {material("air")});
  const auto curved = [](Point2 p) { return Point2{p[0] * std::cos(p[1]), p[0] * std::sin(p[1])}; };
  const Solved solved = solve(given, mesh, order, curved);
  const double exact = 2 * pi * eps0_f_per_m / std::log(3.) / 4;
  CHECK(solved.quantities.energy == Approx(*solved.quantities.capacitance / 2).epsilon(1e-9));
  return *solved.quantities.capacitance / exact - 1;
}

constexpr double inch = 0.0254;

/// A quarter of the plate capacitor: plates 2 in x 1/64 in, 1/32 in apart, +-24 V, box 8 in x 8 in at 0 V.
Solved solve_capacitor(int pieces, double ratio, int order) {
  const auto x = lines(0, {inch, 4 * inch}, pieces, ratio);
  const auto y = lines(0, {inch / 64, inch / 32, 4 * inch}, pieces, ratio);
  const auto in_plate = [](Point2 p) { return p[0] < inch && p[1] > inch / 64 && p[1] < inch / 32; };
  const auto mesh = make_grid(
      x, y, [&](Point2 p) { return in_plate(p) ? "" : "air"; },
      [](Point2 p) {
        if (p[1] == 0) return "middle";
        if (p[0] == 4 * inch || p[1] == 4 * inch) return "box";
        return p[0] == 0 && (p[1] < inch / 64 || p[1] > inch / 32) ? "" : "plate";
      });
  return solve(
      make_static_case(Equation2D::electrostatic, {{"plate", 24}, {"middle", 0}, {"box", 0}}, {}, {material("air")}),
      mesh, order);
}

/// The upper half of the solenoid: R 45 to 55 mm, 200 mm long, 200 A-turns, A = 0 at r = 1 m and z = 1 m.
Solved solve_solenoid(int pieces, double ratio, int order) {
  const auto r = lines(0, {0.045, 0.055, 1}, pieces, ratio);
  const auto z = lines(0, {0.1, 1}, pieces, ratio);
  const auto mesh = make_grid(
      r, z, [](Point2 p) { return p[0] > 0.045 && p[0] < 0.055 && p[1] < 0.1 ? "coil" : "air"; },
      [](Point2 p) { return p[0] == 1 || p[1] == 1 ? "far" : (p[0] == 0 ? "axis" : ""); });
  return solve(make_static_case(Equation2D::magnetostatic_axisymmetric, {{"far", 0}, {"axis", 0}},
                                {{"coil", 200 / (0.01 * 0.2)}}, {material("coil"), material("air")}),
               mesh, order);
}

/// B_z on the axis of a thick solenoid in free space.
double biot_savart(double z) {
  const auto part = [](double u) {
    return u * std::log((0.055 + std::hypot(0.055, u)) / (0.045 + std::hypot(0.045, u)));
  };
  return mu0_h_per_m * 200 / (0.01 * 0.2) / 2 * (part(z + 0.1) - part(z - 0.1));
}

double largest_axis_error(const Solved& solved) {
  double largest = 0;
  for (std::size_t i = 0; i < solved.setup.problem.nodes.size(); ++i) {
    const Point2& node = solved.setup.problem.nodes[i];
    if (node[0] == 0 && node[1] <= 0.1)
      largest = std::max(largest, std::abs(2 * solved.values[i] / biot_savart(node[1]) - 1));
  }
  return largest;
}

/// The upper half of the transformer with a core of mu_r.
Solved solve_transformer(double mu_r, int pieces, double ratio, int order) {
  const auto x = lines(-4, {-1.65, -1.45, -1.4, -.6, -.55, -.35, .6, 1.4, 4}, pieces, ratio);
  const auto y = lines(0, {1, 1.2, 2, 4}, pieces, ratio);
  const auto region = [](Point2 p) -> std::string {
    const bool core = std::abs(p[0]) < 1.4 && p[1] < 2 && !(std::abs(p[0]) < .6 && p[1] < 1.2);
    if (core) return "core";
    if (p[1] > 1) return "air";
    return p[0] > -.55 && p[0] < -.35 ? "inner" : (p[0] > -1.65 && p[0] < -1.45 ? "outer" : "air");
  };
  const auto mesh = make_grid(x, y, region, [](Point2 p) { return std::abs(p[0]) == 4 || p[1] == 4 ? "far" : ""; });
  const double density = 5000 / (0.2 * 2);
  return solve(make_static_case(Equation2D::magnetostatic, {{"far", 0}}, {{"inner", density}, {"outer", -density}},
                                {material("core", mu_r), material("air"), material("inner"), material("outer")}),
               mesh, order);
}

}  // namespace

TEST_CASE("the capacitance of a coaxial line converges with the second and the fourth power of the edges") {
  const double coarse = coaxial_error(8, 1), fine = coaxial_error(16, 1);
  CHECK(std::abs(fine) < 2e-3);
  CHECK(std::log2(coarse / fine) == Approx(2).margin(0.1));
  const double coarse_2 = coaxial_error(8, 2), fine_2 = coaxial_error(16, 2);
  CHECK(std::abs(fine_2) < 1e-5);
  CHECK(std::log2(coarse_2 / fine_2) == Approx(4).margin(0.3));
}

TEST_CASE("the plate capacitor has the capacitance of a boundary-element reference") {
  constexpr double reference = 589.5959e-12;
  const Solved first = solve_capacitor(12, 1.5, 1);
  CHECK(*first.quantities.capacitance / reference == Approx(1).margin(2e-3));
  CHECK(*first.quantities.capacitance > reference);  // from above
  const Solved second = solve_capacitor(12, 2, 2);
  CHECK(*second.quantities.capacitance / reference == Approx(1).margin(5e-5));
  CHECK(*second.quantities.capacitance > reference * (1 - 1e-7));
  CHECK(2 * 2 * second.quantities.energy == Approx(6.79214e-7).epsilon(1e-4).margin(0));
}

TEST_CASE("the field on the axis of a solenoid is that of Biot and Savart") {
  CHECK(biot_savart(0) == Approx(1.123820e-3).epsilon(1e-6));
  CHECK(biot_savart(0.1) == Approx(0.609510e-3).epsilon(2e-6));
  const Solved first = solve_solenoid(32, 1.1, 1);
  CHECK(largest_axis_error(first) < 5e-3);
  const Solved second = solve_solenoid(10, 1.4, 2);
  CHECK(largest_axis_error(second) < 1e-3);  // the box 1 m away
  CHECK(2 * second.quantities.energy == Approx(7.45871e-4).epsilon(5e-4).margin(0));
  CHECK(*second.quantities.inductance * 2 * 200 * 200 / 4 == Approx(1491.74e-6).epsilon(5e-4).margin(0));
}

TEST_CASE("the transformer's energy and fluxes are those of a refined reference") {
  const Solved solved = solve_transformer(2000, 6, 2, 2);
  CHECK(2 * solved.quantities.energy == Approx(2805.04).epsilon(1e-4));
  CHECK(solved.at(-.6, 0) - solved.at(-1.4, 0) == Approx(1.12257).epsilon(1e-4).margin(0));
  CHECK(solved.at(.6, 0) - solved.at(1.4, 0) == Approx(1.11746).epsilon(1e-4).margin(0));
  const Solved thousand = solve_transformer(1000, 4, 2, 2);
  CHECK(2 * thousand.quantities.energy == Approx(1406.64).epsilon(5e-4));
}

TEST_CASE("the current of a coil and its inductance follow from its energy") {
  const Solved solved = solve_transformer(2000, 2, 2, 1);
  CHECK(solved.quantities.current == Approx(2500));  // the upper half
  CHECK(*solved.quantities.inductance == Approx(2 * solved.quantities.energy / (2500. * 2500.)));
  CHECK_FALSE(solved.quantities.capacitance);
}
