#include "fem/elimination/minimum_separator.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include "catch.hpp"

using namespace tetrawave::fem;

namespace {

/// Rows at the points of a grid with random entries between near ones; rows of the first and the last layer along z
/// touch the sides.
Band random_band(const std::array<int, 3>& points, double density, unsigned seed) {
  std::mt19937 random(seed);
  const auto chance = [&](double p) { return std::generate_canonical<double, 32>(random) < p; };
  const auto [nx, ny, nz] = points;
  const auto count = static_cast<std::size_t>(nx * ny * nz);
  std::vector<std::vector<Band::Index>> entries(count);
  const auto number = [&](int x, int y, int z) { return (x * ny + y) * nz + z; };
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < nz; ++z)
        for (const auto& [dx, dy, dz] : {std::array{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 1}, {1, 1, 0}, {1, 0, 1}}) {
          if (x + dx >= nx || y + dy >= ny || z + dz >= nz || !chance(density)) continue;
          const int from = number(x, y, z), to = number(x + dx, y + dy, z + dz);
          entries[static_cast<std::size_t>(from)].push_back(to);
          entries[static_cast<std::size_t>(to)].push_back(from);
        }
  Band band;
  for (std::size_t v = 0; v < count; ++v) {
    const int z = static_cast<int>(v) % nz;
    band.rows.push_back(static_cast<Band::Index>(v));
    band.touches_low.push_back(z == 0 && chance(0.9) ? 1 : 0);
    band.touches_high.push_back(z == nz - 1 && chance(0.9) ? 1 : 0);
    band.neighbours.insert(band.neighbours.end(), entries[v].begin(), entries[v].end());
    band.first.push_back(band.neighbours.size());
  }
  return band;
}

/// Whether sides are without an entry between them.
bool separates(const Band& band, const std::vector<int>& side) {
  for (std::size_t v = 0; v < side.size(); ++v) {
    if ((side[v] < 0 && band.touches_high[v] != 0) || (side[v] > 0 && band.touches_low[v] != 0)) return false;
    for (std::size_t k = band.first[v]; k < band.first[v + 1]; ++k)
      if (side[v] * side[static_cast<std::size_t>(band.neighbours[k])] < 0) return false;
  }
  return true;
}

/// Rows that can be reached from the low side without those of a set.
unsigned reach(const Band& band, unsigned without) {
  unsigned reached = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t v = 0; v < band.rows.size(); ++v) {
      const unsigned bit = 1U << v;
      if (((reached | without) & bit) != 0) continue;
      bool enters = band.touches_low[v] != 0;
      for (std::size_t k = band.first[v]; k < band.first[v + 1]; ++k)
        enters = enters || (reached >> static_cast<unsigned>(band.neighbours[k]) & 1U) != 0;
      if (!enters) continue;
      reached |= bit;
      grows = true;
    }
  }
  return reached;
}

}  // namespace

TEST_CASE("of all sets of rows between two sides the separator is the smallest one and the nearest to the low side") {
  int sizes = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Band band = random_band({2, 2, 3}, 0.5 + 0.008 * seed, seed);
    const std::vector<int> side = MinimumSeparator(band, 1).sides();
    REQUIRE(separates(band, side));
    unsigned high = 0;
    for (std::size_t v = 0; v < side.size(); ++v) high |= band.touches_high[v] != 0 ? 1U << v : 0U;
    int fewest = 99, nearest = 99;
    for (unsigned set = 0; set < 1U << band.rows.size(); ++set) {
      const unsigned reached = reach(band, set);
      if ((reached & high) != 0 || std::popcount(set) > fewest) continue;
      if (std::popcount(set) < fewest) nearest = 99;
      fewest = std::popcount(set);
      nearest = std::min(nearest, std::popcount(reached));
    }
    CHECK(std::count(side.begin(), side.end(), 0) == fewest);
    CHECK(std::count(side.begin(), side.end(), -1) == nearest);
    sizes |= 1 << fewest;
  }
  CHECK(std::popcount(static_cast<unsigned>(sizes)) >= 4);  // of different size
}

TEST_CASE("a separator is the same of any strips") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Band band = random_band({150, 30, 9}, 0.55, seed);
    const std::vector<int> whole = MinimumSeparator(band, 1).sides();
    CHECK(separates(band, whole));
    CHECK(std::count(whole.begin(), whole.end(), 0) > 500);
    for (const int threads : {2, 3, 9}) CHECK(MinimumSeparator(band, threads).sides() == whole);
  }
}
