#include "model/ports/modal_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using tetrawave_tests::Approx;

namespace {

constexpr double inner_m = 1e-3, outer_m = 2.3e-3;

/// A ring of triangles in the plane z = 0, with nodes on both circles.
PortPlace ring(int around, int across, const Medium& medium) {
  PortPlace place;
  place.faces.normal = {0, 0, 1};
  const auto corner = [&](int i, int j) {
    const double angle = 2 * pi * (i % around) / around;
    const double r = inner_m * std::pow(outer_m / inner_m, double(j) / across);
    return std::pair<GlobalIndex, Vec3>((i % around) * (across + 1) + j, {r * std::cos(angle), r * std::sin(angle), 0});
  };
  const auto add = [&](std::array<std::pair<GlobalIndex, Vec3>, 3> corners) {
    std::sort(corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    PortTriangle triangle;
    for (std::size_t v = 0; v < 3; ++v) {
      triangle.vertices[v] = corners[v].first;
      triangle.corners[v] = corners[v].second;
    }
    place.faces.all.push_back(triangle);
  };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      add({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      add({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  std::sort(place.faces.all.begin(), place.faces.all.end(),
            [](const PortTriangle& a, const PortTriangle& b) { return a.vertices < b.vertices; });
  place.faces.media.assign(place.faces.all.size(), medium);
  for (std::size_t t = 0; t < place.faces.all.size(); ++t)
    place.faces.elements.emplace_back(static_cast<GlobalIndex>(t), std::size_t{0});
  return place;
}

}  // namespace

TEST_CASE("potentials have the degree whose gradients the traces contain, up to three") {
  CHECK(potential_degree(Space::mixed_1) == 1);
  CHECK(potential_degree(Space::full_1) == 2);
  CHECK(potential_degree(Space::mixed_2) == 2);
  CHECK(potential_degree(Space::full_2) == 3);
  CHECK(potential_degree(Space::mixed_3) == 3);
  CHECK(potential_degree(Space::full_3) == 3);
}

TEST_CASE("a coaxial port has the impedance of its radii and medium, and its second mode is TE11") {
  const PortPlace place = ring(48, 3, {2.25});
  PortDescription spec;
  spec.name = "a";
  const SolvedPort solved = solve_port({spec, Space::full_1, Scheme::dgtd_central, {}, 0}, place);
  const double expected = eta0_ohm / (2 * pi * 1.5) * std::log(outer_m / inner_m);
  CHECK(solved.summary.impedance_ohm == Approx(expected).epsilon(5e-3));
  CHECK(solved.summary.refractive_index == Approx(1.5));
  REQUIRE(solved.summary.radii_m);
  CHECK((*solved.summary.radii_m)[0] == Approx(inner_m).epsilon(1e-3));
  CHECK(solved.summary.second_mode_hz == Approx(c0_m_per_s / (pi * (inner_m + outer_m) * 1.5)).epsilon(1e-3));
  CHECK(std::holds_alternative<TemMode>(solved.mode));
}

TEST_CASE("a plane of symmetry through a port doubles its current, or its voltage") {
  PortDescription spec;
  spec.name = "a";
  spec.magnetic_planes = 1;
  spec.electric_planes = 2;
  const SolvedPort solved = solve_port({spec, Space::full_1, Scheme::dgtd_central, {}, 0}, ring(48, 3, {}));
  CHECK(solved.summary.current_scale == 2);
  CHECK(solved.summary.voltage_scale == 4);
}
