#include "fem/parts/mesh_parts.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "support/cell_array.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

TEST_CASE("cells of an array share kinds, and own every unknown once") {
  for (const Space space : {Space::mixed_1, Space::mixed_2}) {
    const CellArray array({5, 4}, space);
    const MeshParts found = array.parts();
    CHECK(found.parts.size() == 24);  // 7 columns of cells by pairs, 6 rows
    CHECK(found.kinds.size() == 20);
    std::vector<int> owned(static_cast<std::size_t>(array.space.unknowns), 0);
    for (std::size_t cell = 0; cell < found.parts.size(); ++cell) {
      const MeshPart& part = found.parts[cell];
      for (const std::int32_t k : part.own)
        ++owned[static_cast<std::size_t>(part.unknowns[static_cast<std::size_t>(k)])];
      const std::set<std::int32_t> all(part.unknowns.begin(), part.unknowns.end());
      CHECK(all.size() == part.unknowns.size());
      CHECK(static_cast<std::int32_t>(all.size()) == found.kinds[part.kind].space.unknowns);
      for (std::size_t e = 0; e < array.media.size(); ++e) {
        if (array.labels.cell[e] != static_cast<std::int32_t>(cell)) continue;
        const auto unknowns = array.space.of(e);
        REQUIRE(std::all_of(unknowns.begin(), unknowns.end(), [&](std::int32_t u) { return all.count(u) == 1; }));
      }
    }
    CHECK(std::all_of(owned.begin(), owned.end(), [](int times) { return times == 1; }));
  }
}

TEST_CASE("a cell that is not like the others has a kind of its own") {
  CellArray array({6, 5});
  constexpr std::size_t alike = 12;
  REQUIRE(array.parts().kinds.size() == alike);
  std::int32_t inner = 0;  // a copy of one before it
  for (std::size_t k = 0; k < array.labels.kind.size(); ++k)
    if (std::find(array.labels.kind.begin(), array.labels.kind.begin() + static_cast<std::ptrdiff_t>(k),
                  array.labels.kind[k]) != array.labels.kind.begin() + static_cast<std::ptrdiff_t>(k))
      inner = static_cast<std::int32_t>(k);
  const auto at = std::find(array.labels.cell.begin(), array.labels.cell.end(), inner) - array.labels.cell.begin();
  SECTION("in a medium") {
    std::int32_t& medium = array.media[static_cast<std::size_t>(at)];
    medium = medium == 0 ? 2 : 0;
    CHECK(array.parts().kinds.size() > alike);
  }
  SECTION("in its shape") {
    for (auto& corner : array.mesh.corners[static_cast<std::size_t>(at)]) corner[2] += 1e-4;
    CHECK(array.parts().kinds.size() > alike);
  }
  SECTION("in the factor of a wall") {
    for (std::size_t w = 0; w < array.walls.size(); ++w)
      if (array.labels.cell[static_cast<std::size_t>(array.walls[w].first)] == inner) array.factors[w] *= 1.1;
    CHECK(array.parts().kinds.size() > alike);
  }
}

TEST_CASE("the parts of an array precondition it, one part alone solves it") {
  if (!has_direct_solver()) return;
  CellArray array({4, 3});
  const ArraySystem system(array);
  std::int64_t iterations = 0;
  CHECK(system.solve(array, SolverMachine(2), iterations) < 1e-7);
  CHECK(iterations > 2);
  CHECK(iterations < 20);
  array.join_cells();
  CHECK(system.solve(array, SolverMachine(2), iterations) < 1e-7);
  CHECK(iterations == 1);
}
