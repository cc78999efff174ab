#include "schemes/central/stored.hpp"

#include <cmath>

#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "spaces.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using basis::DenseMatrix;
using tetrawave_tests::Approx;

namespace {

/// One element in walls of one kind.
struct OneElement {
  LocalMesh mesh;
  Problem problem;

  OneElement(Space space, const Medium& medium, Wall wall) {
    mesh.global_id = {0};
    mesh.corners = {{Vec3{.1, .2, -.1}, Vec3{1.4, .1, .3}, Vec3{.3, 1.2, .1}, Vec3{.2, -.1, .9}}};
    mesh.region = {0};
    mesh.neighbour = {{no_neighbour, no_neighbour, no_neighbour, no_neighbour}};
    mesh.boundary = {{0, 0, 0, 0}};
    problem.mesh = &mesh;
    problem.space = space;
    problem.media = {medium};
    problem.walls = {wall};
  }
  OneElement(const OneElement&) = delete;
  OneElement& operator=(const OneElement&) = delete;
};

double difference(const DenseMatrix& a, const DenseMatrix& b, double sign_of_coupling) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.columns() == b.columns());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) {
      worst = std::max(worst, std::abs(a(i, j) - (j < a.rows() ? 1 : sign_of_coupling) * b(i, j)));
      largest = std::max(largest, std::abs(a(i, j)));
    }
  return worst / largest;
}

}  // namespace

TEST_CASE(
    "the matrices of H are those of E in the dual problem: eps for mu, losses and walls exchanged, curl negative") {
  for (const Space space : tetrawave_tests::all_spaces) {
    const OneElement one(space, {3, 1.5, 0.8, 0.6}, Wall::open), dual(space, {1.5, 3, 0.6, 0.8}, Wall::open);
    const auto found = central_matrices(one.problem, 0, 0.03), expected = central_matrices(dual.problem, 0, 0.03);
    CHECK(difference(found[1], expected[0], -1) < 1e-13);
    CHECK(difference(found[0], expected[1], -1) < 1e-13);
  }
}

TEST_CASE("a conductor without walls loses as the trapezoidal rule says") {
  const double dt_m = 0.03, sigma = 5, eps_r = 2;
  const OneElement one(Space::full_1, {eps_r, 1, sigma, 0}, Wall::electric);
  const auto matrices = central_matrices(one.problem, 0, dt_m);
  const double loss = sigma * dt_m / (2 * eps_r);
  for (std::size_t i = 0; i < matrices[0].rows(); ++i)
    CHECK(matrices[0](i, i) == Approx((1 - loss) / (1 + loss)).epsilon(1e-12));
}

TEST_CASE("an element of a finer LTS level has the matrices of a third of the step") {
  OneElement one(Space::mixed_2, {2, 1, 0.3, 0}, Wall::open);
  one.problem.classes.count = 2;
  one.problem.classes.of_element = {0};
  const auto fine = central_matrix_maker(one.problem, 0.03)(0);
  const auto third = central_matrices(one.problem, 0, 0.03 / 3);
  CHECK(difference(fine[0], third[0], 1) == 0);
  one.problem.classes.of_element = {1};
  CHECK(difference(central_matrix_maker(one.problem, 0.03)(0)[1], central_matrices(one.problem, 0, 0.03)[1], 1) == 0);
}
