#include "fem/elimination/nested_dissection.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "catch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "fem/elimination/cutting_plane.hpp"
#include "unit/fem/edge/kuhn_box.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

CsrPattern pattern_of(const std::array<int, 3>& cells, Space space) {
  const KuhnBox box = make_kuhn_box(cells, 0.2);
  const EdgeSpace unknowns = number_unknowns(space, box.vertices, box.faces_at_x0());
  return EdgeAssembly(unknowns, box.corners, {}, AssemblyMethod::by_dof, 1).pattern();
}

/// The node of every row in the tree, the root being 0 and the children of k 2 k + 1 and 2 k + 2.
std::vector<std::size_t> nodes_of(const EliminationOrder& order) {
  std::vector<std::size_t> node(order.row.size());
  std::size_t place = 0, entry = 0;
  for (int level = order.levels - 1; level >= 0; --level)
    for (std::size_t k = 0; k < std::size_t{1} << static_cast<unsigned>(level); ++k, ++entry)
      for (std::int32_t i = 0; i < order.sizes[entry]; ++i)
        node[static_cast<std::size_t>(order.row[place++])] = (std::size_t{1} << static_cast<unsigned>(level)) - 1 + k;
  return node;
}

bool is_below(std::size_t node, std::size_t other) {
  while (node > other) node = (node - 1) / 2;
  return node == other;
}

/// Entries of L, the diagonal apart, by elimination of the graph.
std::int64_t fill(const CsrPattern& pattern, const std::vector<std::int32_t>& order) {
  std::vector<std::size_t> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[static_cast<std::size_t>(order[k])] = k;
  std::vector<std::vector<std::size_t>> later(order.size());
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k)
      if (const std::size_t j = position[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
          j > position[i])
        later[position[i]].push_back(j);
  for (std::vector<std::size_t>& row : later) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    entries += static_cast<std::int64_t>(row.size());
    if (!row.empty()) later[row.front()].insert(later[row.front()].end(), row.begin() + 1, row.end());
  }
  return entries;
}

}  // namespace

TEST_CASE("a dissection orders every row once, and entries couple only nodes of which one lies below the other") {
  for (const Space space : {Space::mixed_1, Space::full_2}) {
    const CsrPattern pattern = pattern_of({6, 5, 4}, space);
    for (const int levels : {1, 2, 5}) {
      const EliminationOrder order = dissect(pattern, levels, 1);
      std::vector<std::int32_t> sorted = order.row;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t k = 0; k < sorted.size(); ++k) REQUIRE(sorted[k] == static_cast<std::int32_t>(k));
      REQUIRE(order.sizes.size() == (std::size_t{1} << static_cast<unsigned>(levels)) - 1);
      REQUIRE(std::accumulate(order.sizes.begin(), order.sizes.end(), 0) == pattern.rows());
      const auto node = nodes_of(order);
      std::int64_t across = 0;
      for (std::size_t i = 0; i < node.size(); ++i)
        for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k) {
          const std::size_t other = node[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
          across += is_below(node[i], other) || is_below(other, node[i]) ? 0 : 1;
        }
      CHECK(across == 0);
    }
  }
}

TEST_CASE("the separator of a box is no larger than the layer of edges in a plane across it") {
  constexpr int side = 8, length = 24;
  const CsrPattern pattern = pattern_of({length, side, side}, Space::mixed_1);
  const EliminationOrder order = dissect(pattern, 2, 1);
  CHECK(order.sizes[2] <= side * (side + 1) * 2 + side * side);  // along y, along z, and diagonals
  CHECK(order.sizes[2] > 0);
  CHECK(std::min(order.sizes[0], order.sizes[1]) > pattern.rows() / 4);
}

TEST_CASE("a dissection makes less than a third of the fill of the order by elements") {
  const CsrPattern small = pattern_of({8, 8, 8}, Space::mixed_1), large = pattern_of({16, 8, 8}, Space::mixed_1);
  const auto of = [](const CsrPattern& pattern) {
    return static_cast<double>(fill(pattern, dissect(pattern, dissection_levels(pattern.rows()), 1).row));
  };
  std::vector<std::int32_t> own(static_cast<std::size_t>(small.rows()));
  std::iota(own.begin(), own.end(), 0);
  CHECK(of(small) < static_cast<double>(fill(small, own)) / 3);
  CHECK(of(large) < 2.6 * of(small));
}

TEST_CASE("unknowns cut by their vertices have no more fill than those cut one by one") {
  for (const Space space : {Space::mixed_1, Space::full_2}) {
    const CsrPattern grouped = space == Space::mixed_1 ? pattern_of({12, 10, 8}, space) : pattern_of({5, 4, 4}, space);
    CsrPattern single = grouped;
    single.group.clear();
    const auto of = [](const CsrPattern& pattern) {
      return static_cast<double>(fill(pattern, dissect(pattern, dissection_levels(pattern.rows()), 1).row));
    };
    CHECK(grouped.group.size() == static_cast<std::size_t>(grouped.rows()));
    CHECK(of(grouped) < 1.05 * of(single));
  }
}

TEST_CASE("a dissection is the same on one and on four threads") {
  const CsrPattern pattern = pattern_of({24, 23, 22}, Space::mixed_1);
  const EliminationOrder one = dissect(pattern, 6, 1);
  for (int repeats = 0; repeats < 4; ++repeats) {
    const EliminationOrder four = dissect(pattern, 6, 4);
    CHECK(one.row == four.row);
    CHECK(one.sizes == four.sizes);
  }
}

TEST_CASE("unknowns at one place are ordered all the same") {
  CsrPattern pattern = pattern_of({5, 5, 5}, Space::mixed_1);
  std::fill(pattern.positions.begin(), pattern.positions.end(), std::array<double, 3>{1, 2, 3});
  const EliminationOrder order = dissect(pattern, 3, 2);
  CHECK(order.row.size() == static_cast<std::size_t>(pattern.rows()));
  CHECK(order.sizes.back() == pattern.rows());
}

TEST_CASE("small matrices are not dissected, large ones into 512 parts") {
  CHECK(dissection_levels(1999) == 0);
  CHECK(dissection_levels(2000) >= 2);
  CHECK(dissection_levels(5'000'000) == 10);
}

namespace {

/// Two cubes of 16 x 16 x 16 points, joined by a bar of 6 x 4 x 4: each point couples with the next ones along the
/// axes.
class Dumbbell {
 public:
  explicit Dumbbell(std::int32_t weight) : weight_(weight) {
    for (int x = 0; x < length; ++x)
      for (int y = 0; y < width; ++y)
        for (int z = 0; z < width; ++z)
          if (is_inside(x, y, z)) points_.push_back({double(x), double(y), double(z)});
    for (std::size_t k = 0; k < points_.size(); ++k) number_[points_[k]] = static_cast<std::int32_t>(k);
  }
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] std::int32_t operator[](std::size_t k) const { return static_cast<std::int32_t>(k); }
  [[nodiscard]] const Vec3& place(std::int32_t node) const { return points_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::int32_t weight(std::int32_t /*node*/) const { return weight_; }
  template <class Visit>
  void for_neighbours(std::int32_t node, const Visit& visit) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double step : {-1., 1.}) {
        Vec3 other = place(node);
        other[axis] += step;
        if (const auto found = number_.find(other); found != number_.end()) visit(found->second);
      }
  }

 private:
  static constexpr int length = 38, width = 16;
  static bool is_inside(int x, int y, int z) { return x < 16 || x >= 22 || (y >= 6 && y < 10 && z >= 6 && z < 10); }
  std::int32_t weight_;
  std::vector<Vec3> points_;
  std::map<Vec3, std::int32_t> number_;
};

}  // namespace

TEST_CASE("of all planes that the fewest couplings cross is taken, in the middle, on any number of threads") {
  for (const std::int32_t weight : {1, 3})
    for (const int threads : {1, 3}) {
      const Dumbbell nodes(weight);
      const CuttingPlane plane = PlaneSearch(nodes, threads).best(0.45);
      CHECK(plane.direction == Vec3{1, 0, 0});
      CHECK(plane.cost == Approx(16. * weight).epsilon(0.001));  // the bar's points of one layer
      CHECK((plane.low > 15 && plane.low <= 19));
      CHECK((plane.high >= 19 && plane.high < 22));
    }
}
