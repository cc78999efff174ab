// Cuts of a graph with weights: the heaviest elements, those of the finest class of time steps, away from the borders.
#include <cstdlib>

#include "catch.hpp"
#include "mesh/connect/partition.hpp"

using namespace tetrawave;

namespace {

constexpr LocalIndex rows = 8, columns = 32;

/// A grid whose two middle columns weigh three times as much as the others.
struct Grid {
  std::vector<std::array<LocalIndex, 4>> neighbours;
  CutWeights weights;
  Grid() {
    for (LocalIndex i = 0; i < rows * columns; ++i) {
      const LocalIndex row = i / columns, column = i % columns;
      neighbours.push_back({column > 0 ? i - 1 : -1, column + 1 < columns ? i + 1 : -1, row > 0 ? i - columns : -1,
                            row + 1 < rows ? i + columns : -1});
      weights.elements.push_back(is_heavy(i) ? 3 : 1);
    }
  }
  static bool is_heavy(LocalIndex i) { return i % columns == columns / 2 - 1 || i % columns == columns / 2; }
};

struct Cut {
  int heavy_faces = 0;  ///< between parts, with a heavy element on a side
  std::array<int, 2> weight{};
};

Cut cut_in_two(const Grid& grid) {
  const auto part = cut_graph(grid.neighbours, 2, grid.weights);
  Cut cut;
  for (std::size_t e = 0; e < part.size(); ++e) {
    cut.weight[static_cast<std::size_t>(part[e])] += grid.weights.elements[e];
    for (const LocalIndex n : grid.neighbours[e])
      if (n > static_cast<LocalIndex>(e) && part[e] != part[static_cast<std::size_t>(n)] &&
          (Grid::is_heavy(n) || Grid::is_heavy(static_cast<LocalIndex>(e))))
        ++cut.heavy_faces;
  }
  return cut;
}

}  // namespace

TEST_CASE("a cut that keeps the heaviest elements inside crosses fewer of their faces and is as balanced") {
  Grid grid;
  const Cut shortest = cut_in_two(grid);
  grid.weights.keep_heaviest_inside = true;
  const Cut kept = cut_in_two(grid);
  INFO(shortest.heavy_faces << ", " << kept.heavy_faces);
  CHECK(shortest.heavy_faces >= 6);  // the shortest cut is between the heavy columns
  CHECK(kept.heavy_faces <= 3);
  for (const Cut& cut : {shortest, kept}) CHECK(std::abs(cut.weight[0] - cut.weight[1]) < 32);  // of 320
}
