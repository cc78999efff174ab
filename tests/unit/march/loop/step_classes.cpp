// Levels of local time stepping.
#include "march/loop/step_classes.hpp"

#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;

TEST_CASE("the gain of levels is all elements at the smallest step over the updates that are left") {
  CHECK(gain_by_counting({7}) == Approx(1));
  // in one step of the coarsest of three levels: 9 x 10, 3 x 20 and 30 updates instead of 9 x 60
  CHECK(gain_by_counting({10, 20, 30}) == Approx(540. / 180));
}

TEST_CASE("an element knows behind which faces steps are longer") {
  LocalMesh mesh;
  mesh.global_id = {0, 1, 2};
  mesh.neighbour = {{1, no_neighbour, no_neighbour, no_neighbour},
                    {no_neighbour, 2, no_neighbour, 0},
                    {no_neighbour, no_neighbour, 1, no_neighbour}};
  mesh.neighbour_face = {{3, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1, 0}};
  StepClasses classes;
  classes.count = 3;
  classes.of_element = {0, 1, 2};
  find_borders(classes, mesh, comm::Communicator::self());
  REQUIRE(classes.coarser.size() == 3);
  CHECK(classes.coarser[0] == 0b0001);
  CHECK(classes.coarser[1] == 0b0010);
  CHECK(classes.coarser[2] == 0);
}

TEST_CASE("steps of levels are thirds of one another") {
  StepClasses classes;
  classes.count = 3;
  CHECK(classes.substeps(0) == 9);
  CHECK(classes.substeps(2) == 1);
  CHECK(classes.step_of(1, 0.6) == Approx(0.2));
}
