// Elements of a problem by region, and the one to blame.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "march/interface/health.hpp"
#include "march/interface/region_elements.hpp"

using namespace tetrawave;
using namespace tetrawave::march;

namespace {

/// Six elements in three regions, of which the first two lie at the border to another rank.
LocalMesh make_mesh() {
  LocalMesh mesh;
  mesh.border_count = 2;
  mesh.region_names = {"air", "glass", "water"};
  for (int e = 0; e < 6; ++e) {
    mesh.global_id.push_back(10 * e + 7);
    mesh.region.push_back(e % 3);
    const double x = e;
    mesh.corners.push_back({Vec3{x, 0, 0}, Vec3{x + 1, 0, 0}, Vec3{x, 1, 0}, Vec3{x, 0, 1}});
  }
  return mesh;
}

}  // namespace

TEST_CASE("elements of chosen regions are listed by region, border elements first") {
  const LocalMesh mesh = make_mesh();
  Problem problem;
  problem.mesh = &mesh;
  const auto lists = elements_by_region(problem, {false, true, true});
  REQUIRE(lists.size() == 3);
  CHECK(lists[0].region == 1);
  CHECK(lists[0].part.border);
  CHECK(lists[0].elements == std::vector<LocalIndex>{1});
  CHECK(lists[1].region == 1);
  CHECK_FALSE(lists[1].part.border);
  CHECK(lists[1].elements == std::vector<LocalIndex>{4});
  CHECK(lists[2].region == 2);
  CHECK(lists[2].elements == std::vector<LocalIndex>{2, 5});
}

TEST_CASE("elements at edges of metal, of materials behind the regions, are in no list of a region") {
  const LocalMesh mesh = make_mesh();
  Problem problem;
  problem.mesh = &mesh;
  problem.material = {0, 1, 2, 3, 4, 5};
  const auto lists = elements_by_region(problem, {true, true, true});
  REQUIRE(lists.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(lists[k].elements == std::vector<LocalIndex>{static_cast<LocalIndex>(k)});
}

TEST_CASE("the worst element has the largest energy, or the first that is not finite") {
  const LocalMesh mesh = make_mesh();
  const comm::Communicator alone = comm::Communicator::self();
  WorstElement worst = find_worst(mesh, {1, 2, 9, 4, 9, 0}, alone);
  CHECK(worst.id == 27);
  CHECK(worst.region == "water");
  CHECK(worst.energy_j == 9);
  CHECK(worst.centroid_m == Vec3{2.25, 0.25, 0.25});
  worst = find_worst(mesh, {1, 2, 9, std::numeric_limits<double>::quiet_NaN(), 9, 0}, alone);
  CHECK(worst.id == 37);
  CHECK(std::isnan(worst.energy_j));
}
