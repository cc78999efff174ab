#include "mesh/connect/space_curve.hpp"

#include <cstdlib>
#include <vector>

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("the Hilbert curve visits every cell once, in steps to a neighbour") {
  constexpr std::uint32_t side = 16;
  std::vector<std::array<std::uint32_t, 3>> visited(side * side * side, {side, side, side});
  for (std::uint32_t x = 0; x < side; ++x) {
    for (std::uint32_t y = 0; y < side; ++y) {
      for (std::uint32_t z = 0; z < side; ++z) {
        const std::uint64_t code = hilbert_code({x, y, z});
        REQUIRE(code < visited.size());
        CHECK(visited[code][0] == side);
        visited[code] = {x, y, z};
      }
    }
  }
  for (std::size_t i = 1; i < visited.size(); ++i) {
    int distance = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      distance += std::abs(static_cast<int>(visited[i][axis]) - static_cast<int>(visited[i - 1][axis]));
    }
    CHECK(distance == 1);
  }
}

TEST_CASE("the curve's grid takes all points of its box, its corners too") {
  const CurveGrid grid({-1, -1, -1}, {1, 3, 0});
  CHECK(grid.code({-1, -1, -1}) == 0);
  CHECK(grid.code({1, 3, 0}) < (std::uint64_t{1} << 63));
  CHECK(grid.code({0.5, 2, -0.5}) != grid.code({0.5, 2.00001, -0.5}));
  CHECK(CurveGrid({1, 1, 1}, {1, 1, 1}).code({1, 1, 1}) == 0);
}
