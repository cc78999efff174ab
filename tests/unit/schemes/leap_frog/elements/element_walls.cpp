// What walls, layers and borders of levels make of the mass of an element.
#include <cmath>
#include <numeric>

#include "catch.hpp"
#include "schemes/leap_frog/elements/class_borders.hpp"
#include "schemes/leap_frog/elements/mass_weights.hpp"
#include "schemes/leap_frog/elements/wall_corrections.hpp"
#include "terms/pml/layers.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;

namespace {

/// One element, with the wall on its face 2 if it is given one.
struct OneElement {
  LocalMesh mesh;
  Problem problem;

  explicit OneElement(const Medium& medium, std::int32_t tag = -1) {
    mesh.global_id = {0};
    mesh.region = {0};
    mesh.region_names = {"medium"};
    mesh.corners = {{Vec3{0, 0, 0}, Vec3{0.3, 0.02, 0.01}, Vec3{0.05, 0.4, -0.02}, Vec3{0.02, 0.03, 0.5}}};
    mesh.neighbour = {{no_neighbour, no_neighbour, no_neighbour, no_neighbour}};
    mesh.neighbour_face = {{0, 0, 0, 0}};
    mesh.boundary = {{-1, -1, tag, -1}};
    problem.mesh = &mesh;
    problem.media = {medium};
    problem.walls = {Wall::electric};
  }
};

}  // namespace

TEST_CASE("what metal holds is taken out of a field orthogonally in the mass") {
  OneElement one({}, 0);
  one.problem.holds_metal = true;
  one.problem.space = GENERATE(Space::mixed_1, Space::full_1, Space::mixed_2);
  const auto& reference = basis::reference_element(one.problem.space);
  std::vector<double> before(reference.dofs);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = std::sin(1.0 + 3.0 * static_cast<double>(i));
  std::vector<double> after = before;
  hold_fixed_dofs(one.problem, Field::electric, after);
  std::vector<bool> held(reference.dofs, false);
  for (const std::size_t dof : reference.on_face[2]) held[dof] = true;
  const auto mass = basis::PhysicalElement(one.problem.space, one.mesh.corners[0]).mass();
  for (std::size_t i = 0; i < reference.dofs; ++i) {
    if (held[i]) {
      CHECK(std::abs(after[i]) < 1e-14);
      continue;
    }
    double moment = 0, size = 0;
    for (std::size_t j = 0; j < reference.dofs; ++j) {
      moment += mass(i, j) * (before[j] - after[j]);
      size += std::abs(mass(i, j));
    }
    CHECK(std::abs(moment) < 1e-12 * size);
  }
  std::vector<double> magnetic = before;  // the trace of H on metal is free
  hold_fixed_dofs(one.problem, Field::magnetic, magnetic);
  CHECK(magnetic == before);
}

TEST_CASE("an anisotropic lossy medium is weighted by eps and half a step of its losses along each axis") {
  Medium medium;
  medium.eps_r = 2;
  medium.eps_axes = {1, 2, 0.5};
  medium.sigma_e = 3;
  const OneElement one(medium);
  constexpr double dt_m = 0.1;
  const basis::Weights weights = mass_weights_of(one.problem, 0, Field::electric, dt_m);
  const auto along = [&](double axis) { return 2 * axis + dt_m * 3 / 2; };
  CHECK(weights.is_diagonal());
  CHECK(weights.axes[1] / weights.axes[0] == Approx(along(2) / along(1)));
  CHECK(weights.axes[2] / weights.axes[0] == Approx(along(0.5) / along(1)));
  CHECK(mass_weights_of(one.problem, 0, Field::magnetic, dt_m).axes == Vec3{1, 1, 1});
}

TEST_CASE("a layer stretched along z alone has the same weights along x and y") {
  OneElement one({});
  one.problem.layers.emplace();
  one.problem.layers->is_layer = {true};
  one.problem.layers->loss_per_m = {{0, 0}};
  one.problem.layers->low = {-9, -9, -9};
  one.problem.layers->high = {9, 9, 0};
  one.problem.layers->thickness_m[1] = {0, 0, 0.6};
  constexpr double dt_m = 0.01;
  const basis::Weights weights = mass_weights_of(one.problem, 0, Field::electric, dt_m);
  const auto stretch = stretch_of(one.problem, 0, Field::electric);
  REQUIRE(stretch.sigma[2] > 0);
  CHECK(weights.axes[0] == Approx(weights.axes[1]).epsilon(1e-14));
  // to first order in dt: across the layer 1 + dt sigma/2, along its normal 1 - dt sigma/2
  const double rate = dt_m * stretch.sigma[2] / 2;
  CHECK(std::abs(weights.axes[0] - 1 - rate) < 2 * rate * rate + 1e-4 * rate);
  CHECK(std::abs(weights.axes[2] - 1 + rate) < 2 * rate * rate + 1e-4 * rate);
}

TEST_CASE("an element beside longer steps weighs more, one between equal steps does not") {
  OneElement one({});
  one.problem.classes.count = 2;
  one.problem.classes.of_element = {0};
  one.problem.classes.coarser = {0b0010};
  constexpr double dt_m = 0.02;
  CHECK(class_border_of(one.problem, 0) == 0b0010);
  const basis::Weights weights = mass_weights_of(one.problem, 0, Field::electric, dt_m);
  const Vec3 n = basis::PhysicalElement(one.problem.space, one.mesh.corners[0]).normal(1);
  // the correction is that of the tangential components, and none of the normal one
  const Vec3 added = weights * n - n;
  CHECK(norm(added) < 1e-12);
  CHECK(weights.axes[0] + weights.axes[1] + weights.axes[2] > 3);
  one.problem.scheme = Scheme::dgtd_upwind;
  CHECK(class_border_of(one.problem, 0) == 0);
  one.problem.scheme = Scheme::dgtd_central;
  one.problem.media[0].chi3 = 1e-9;
  CHECK(class_border_of(one.problem, 0) == 0);
}

TEST_CASE("lists of walls are made per number of faces") {
  OneElement one({}, 0);
  one.mesh.boundary = {{1, 1, 0, 1}};
  one.problem.walls = {Wall::impedance, Wall::electric};
  one.problem.wall_ohms = {50, 0};
  const auto layout = lay_out_elements<double>(one.problem, 4);
  const auto lists = make_wall_lists(one.problem, layout, Field::electric, 1e-3);
  REQUIRE(lists.size() == 1);
  CHECK(lists[0].faces == 1);
  CHECK(lists[0].with_other);
  CHECK(lists[0].owner == std::vector<LocalIndex>{0});
  CHECK(lists[0].face[0] == 2);
}

TEST_CASE("copies of an element in a finite array have its wall matrices, a driven copy has a wave of its own") {
  OneElement one({}, 0);
  LocalMesh& mesh = one.mesh;
  one.problem.walls = {Wall::impedance, Wall::electric};
  one.problem.wall_ohms = {50, 0};
  mesh.boundary = {{1, 1, 0, 1}};
  for (int copy = 1; copy < 3; ++copy) {
    mesh.global_id.push_back(copy);
    mesh.region.push_back(0);
    mesh.corners.push_back(mesh.corners[0]);
    mesh.neighbour.push_back(mesh.neighbour[0]);
    mesh.neighbour_face.push_back(mesh.neighbour_face[0]);
    mesh.boundary.push_back(mesh.boundary[0]);
  }
  for (Vec3& corner : mesh.corners[1]) corner = 3.0 * corner;  // a copy is not looked at again
  const auto alone = make_wall_lists(one.problem, lay_out_elements<double>(one.problem, 4), Field::electric, 1e-3);
  mesh.shape = {0, 0, 0};
  mesh.shape_corners = {mesh.corners[0]};
  DrivenFace driven{2, 2, 7, {}, {}};
  driven.direct.assign(12, 1.5);
  driven.rotated.assign(12, 0.5);
  one.problem.driven = {driven};
  const auto layout = lay_out_elements<double>(one.problem, 4);
  const auto lists = make_wall_lists(one.problem, layout, Field::electric, 1e-3);
  REQUIRE(lists.size() == 1);
  const auto rows = static_cast<int>(lists[0].matrix.size() / 4);
  int waves = 0;
  for (int row = 0; row < rows; ++row) {
    const auto of = [&](const WallList<double>& list, std::int32_t item) {
      return list.matrix[layout.at(item, rows, row)];
    };
    CHECK(of(lists[0], 0) == of(alone[0], 0));
    CHECK(of(lists[0], 1) == of(lists[0], 0));
    if (of(lists[0], 2) != of(lists[0], 0)) ++waves;
  }
  CHECK(alone[0].matrix != lists[0].matrix);
  CHECK(waves == 12);
  CHECK(lists[0].wave[layout.at(2, 1, 0)] == 7);
  CHECK(lists[0].wave[layout.at(1, 1, 0)] == 0);
  CHECK(lists[0].face[layout.at(1, 1, 0)] == 2);
}
