// Elements in blocks of lanes.
#include "march/elements/layout.hpp"

#include <algorithm>
#include <set>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "kernels/element_block.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;

namespace {

/// Two elements that share a face; their other faces are metal, one of them a magnetic wall.
struct Pair {
  LocalMesh mesh;
  Problem problem;

  Pair() {
    mesh.global_id = {4, 9};
    mesh.region = {0, 1};
    mesh.region_names = {"air", "glass"};
    mesh.corners = {{Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}},
                    {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 1.5}}};
    mesh.neighbour = {{1, no_neighbour, no_neighbour, no_neighbour}, {no_neighbour, no_neighbour, no_neighbour, 0}};
    mesh.neighbour_face = {{3, 0, 0, 0}, {0, 0, 0, 0}};
    mesh.boundary = {{-1, 0, 0, 1}, {0, 0, 0, -1}};
    problem.mesh = &mesh;
    problem.walls = {Wall::electric, Wall::magnetic};
    Medium glass;
    glass.eps_r = 4;
    problem.media = {Medium{}, glass};
  }
};

}  // namespace

TEST_CASE("neighbours of a block's slots point at one another, walls at their own element") {
  const Pair pair;
  const auto layout = lay_out_elements<double>(pair.problem, 4);
  CHECK(layout.border.count == 0);
  CHECK(layout.inner.count == 1);
  CHECK(layout.blocks == 2);  // the last one is spare
  const std::int32_t first = layout.slot(0), second = layout.slot(1);
  CHECK(first != second);
  CHECK(layout.neighbour[layout.at(first, 4, 0)] == second);
  CHECK(layout.neighbour[layout.at(second, 4, 3)] == first);
  for (const int f : {1, 2, 3}) CHECK(layout.neighbour[layout.at(first, 4, f)] == first);
  const auto word = [&](std::int32_t slot) { return layout.word[layout.at(slot, 1, 0)]; };
  CHECK((word(first) & 7) == 3);  // the shared face is face 3 over there
  CHECK((word(second) >> 9 & 7) == 0);
  CHECK(word(first) >> kernels::ElementWord::class_shift == 0);
  CHECK(word(second) >> kernels::ElementWord::class_shift == 1);
  const auto mirror = [&](std::int32_t slot, int f) {
    return static_cast<kernels::FaceMirror>(word(slot) >> (kernels::ElementWord::mirror_shift + 2 * f) & 3);
  };
  CHECK(mirror(first, 0) == kernels::FaceMirror::none);
  CHECK(mirror(first, 1) == kernels::FaceMirror::electric);
  CHECK(mirror(first, 3) == kernels::FaceMirror::magnetic);
}

TEST_CASE("a slot has the six metric numbers of its element, padding those of a unit") {
  const Pair pair;
  const auto layout = lay_out_elements<double>(pair.problem, 4);
  const auto q = basis::PhysicalElement(pair.problem.space, pair.mesh.corners[1]).metric();
  for (int a = 0; a < 6; ++a)
    CHECK(layout.metric[layout.at(layout.slot(1), 6, a)] == Approx(q[static_cast<std::size_t>(a)]));
  const std::array<double, 6> unit{1, 0, 0, 1, 0, 1};
  for (int a = 0; a < 6; ++a) CHECK(layout.metric[layout.at(3, 6, a)] == unit[static_cast<std::size_t>(a)]);
  CHECK(layout.electric_metric.empty());
  CHECK(layout.word[layout.at(3, 1, 0)] >> kernels::ElementWord::class_shift == 2);  // behind both media
}

TEST_CASE("E and H have metrics of their own where a medium is anisotropic") {
  Pair pair;
  pair.problem.media[1].eps_axes = {2, 1, 0.5};
  const auto layout = lay_out_elements<double>(pair.problem, 4);
  REQUIRE(layout.electric_metric.size() == layout.metric.size());
  const auto q = basis::PhysicalElement(pair.problem.space, pair.mesh.corners[1]).metric(Vec3{2, 1, 0.5});
  for (int a = 0; a < 6; ++a)
    CHECK(layout.electric_metric[layout.at(layout.slot(1), 6, a)] == Approx(q[static_cast<std::size_t>(a)]));
}

TEST_CASE("in DFDD-ELD the elements of a dispersive medium fill blocks of their own") {
  Pair pair;
  pair.problem.scheme = Scheme::dfdd_eld;
  pair.problem.space = Space::mixed_1;
  pair.problem.media[0].electric_poles = {{1, 3.0, 0, 2.0, 0}};
  const auto layout = lay_out_elements<double>(pair.problem, 4);
  CHECK(layout.inner.count == 2);
  CHECK(layout.slot(1) / 4 == 0);
  CHECK(layout.slot(0) / 4 == 1);
}
