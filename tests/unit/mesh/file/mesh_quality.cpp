#include "mesh/file/mesh_quality.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

TEST_CASE("a regular tetrahedron has radius ratio 1 and dihedral angles of acos(1/3)") {
  const std::vector<Vec3> nodes{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const std::vector<std::int64_t> elements{0, 1, 2, 3};
  const MeshQuality quality = measure_quality(nodes, elements, 4, 3);
  CHECK(quality.min_radius_ratio == Approx(1));
  CHECK(quality.median_radius_ratio == Approx(1));
  CHECK(quality.min_angle_deg == Approx(std::acos(1.0 / 3) * 180 / std::acos(-1.0)));
  CHECK(quality.min_edge_m == Approx(std::sqrt(8.0)));
  CHECK(quality.max_edge_m == Approx(std::sqrt(8.0)));
}

TEST_CASE("a corner tetrahedron's radii are those of the formulas, whichever way it is turned") {
  // Legs 1: r = 1/(3 + sqrt 3), R = sqrt(3)/2.
  const std::vector<Vec3> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double ratio = 3 / (3 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2);
  for (const auto& elements : {std::vector<std::int64_t>{0, 1, 2, 3}, {1, 0, 2, 3}, {3, 2, 1, 0}}) {
    const MeshQuality quality = measure_quality(nodes, elements, 4, 3);
    CHECK(quality.min_radius_ratio == Approx(ratio));
    CHECK(quality.min_angle_deg == Approx(std::acos(1 / std::sqrt(3.0)) * 180 / std::acos(-1.0)));
  }
}

TEST_CASE("a flat tetrahedron has radius ratio 0") {
  const std::vector<Vec3> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const std::vector<std::int64_t> elements{0, 1, 2, 3};
  CHECK(measure_quality(nodes, elements, 4, 3).min_radius_ratio == 0);
}

TEST_CASE("triangles are measured by their angles and radii") {
  const std::vector<Vec3> nodes{{0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0}, {0, 1, 0}};
  const std::vector<std::int64_t> equilateral{0, 1, 2};
  CHECK(measure_quality(nodes, equilateral, 3, 2).min_radius_ratio == Approx(1));
  CHECK(measure_quality(nodes, equilateral, 3, 2).min_angle_deg == Approx(60));
  const std::vector<std::int64_t> right{0, 1, 3};
  CHECK(measure_quality(nodes, right, 3, 2).min_radius_ratio == Approx(2 * (std::sqrt(2.0) - 1)));
  CHECK(measure_quality(nodes, right, 3, 2).min_angle_deg == Approx(45));
}
