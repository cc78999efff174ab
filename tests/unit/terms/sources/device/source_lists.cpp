// Sources inside the domain as lists of elements.
#include "terms/sources/device/source_lists.hpp"

#include <cmath>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "terms/sources/kernel.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;

namespace {

struct OneElement {
  LocalMesh mesh;
  Problem problem;
  std::vector<double> moment;

  explicit OneElement(Scheme scheme) {
    mesh.global_id = {0};
    mesh.region = {0};
    mesh.corners = {{Vec3{0, 0, 0}, Vec3{0.3, 0.02, 0.01}, Vec3{0.05, 0.4, -0.02}, Vec3{0.02, 0.03, 0.5}}};
    mesh.neighbour = {{no_neighbour, no_neighbour, no_neighbour, no_neighbour}};
    mesh.neighbour_face = {{0, 0, 0, 0}};
    mesh.boundary = {{0, 0, 0, 0}};
    problem.mesh = &mesh;
    problem.scheme = scheme;
    problem.walls = {Wall::magnetic};
    Medium medium;
    medium.eps_r = 3;
    problem.media = {medium};
    for (std::size_t i = 0; i < basis::reference_element(problem.space).dofs; ++i)
      moment.push_back(std::cos(2.0 * static_cast<double>(i)));
    problem.sources.push_back({0, 0, 0.0123, moment});
  }
};

}  // namespace

TEST_CASE("a source adds dt/eps M^-1 of its moment in a plain medium") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dgtd_upwind}) {
    const OneElement one(scheme);
    constexpr double dt_m = 2e-3;
    const auto layout = lay_out_elements<double>(one.problem, 4);
    const auto lists = make_source_lists(one.problem, layout, Field::electric, dt_m, 1);
    REQUIRE(lists.size() == 1);
    CHECK_FALSE(lists[0].by_rate);
    const auto mass = basis::PhysicalElement(one.problem.space, one.mesh.corners[0]).mass();
    REQUIRE(lists[0].moment.size() == mass.size());
    for (std::size_t i = 0; i < mass.size(); ++i) {
      double back = 0;
      for (std::size_t j = 0; j < mass.size(); ++j) back += mass(i, j) * lists[0].moment[j];
      CHECK(back == Approx(dt_m / 3 * one.moment[i]).margin(1e-12));
    }
  }
}

TEST_CASE("a delay is kept as samples of the step, rounded down, and the rest") {
  const OneElement one(Scheme::dgtd_upwind);
  constexpr double dt_m = 2e-3;
  const auto layout = lay_out_elements<double>(one.problem, 4);
  const auto list = make_source_lists(one.problem, layout, Field::electric, dt_m, 1).at(0);
  CHECK(list.rest[0] >= 0);
  CHECK(list.rest[0] < 1);
  CHECK((list.place[0] + list.rest[0]) / kernels::wave_samples == Approx(-0.0123 / dt_m));
}

TEST_CASE("a field without a moment has no list, and DFDD-ELD takes E by rates") {
  const OneElement one(Scheme::dfdd_eld);
  const auto layout = lay_out_elements<double>(one.problem, 4);
  CHECK(make_source_lists(one.problem, layout, Field::magnetic, 1e-3, 1).empty());
  const auto lists = make_source_lists(one.problem, layout, Field::electric, 1e-3, 1);
  REQUIRE(lists.size() == 1);
  CHECK(lists[0].by_rate);
}
