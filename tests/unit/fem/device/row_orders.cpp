#include "fem/device/row_orders.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.hpp"
#include "fem/device/rows.hpp"

using namespace tetrawave::fem;
using namespace tetrawave::fem::device;

namespace {

/// A symmetric pattern of pseudo-random couplings with a whole diagonal.
CsrPattern make_pattern(std::int32_t rows) {
  std::vector<std::set<std::int32_t>> columns(static_cast<std::size_t>(rows));
  std::uint32_t state = 7;
  for (std::int32_t i = 0; i < rows; ++i) {
    columns[static_cast<std::size_t>(i)].insert(i);
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525u + 1013904223u;
      const auto j = static_cast<std::int32_t>((state >> 8) % static_cast<std::uint32_t>(rows));
      columns[static_cast<std::size_t>(i)].insert(j);
      columns[static_cast<std::size_t>(j)].insert(i);
    }
  }
  CsrPattern pattern;
  for (const auto& row : columns) {
    pattern.column.insert(pattern.column.end(), row.begin(), row.end());
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return pattern;
}

std::int32_t level_of(const Levels& levels, std::int32_t row) {
  const auto at = std::find(levels.order.begin(), levels.order.end(), row) - levels.order.begin();
  return static_cast<std::int32_t>(std::upper_bound(levels.first.begin(), levels.first.end(), at) -
                                   levels.first.begin()) -
         1;
}

}  // namespace

TEST_CASE("a row stands one level above the highest of the rows that it waits for") {
  const CsrPattern pattern = make_pattern(200);
  for (const MatrixPart part : {MatrixPart::lower, MatrixPart::upper}) {
    const Levels levels = find_levels(pattern, part);
    REQUIRE(levels.order.size() == 200);
    for (std::int32_t i = 0; i < 200; ++i) {
      std::int32_t highest = -1;
      for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1];
           ++k) {
        const std::int32_t j = pattern.column[static_cast<std::size_t>(k)];
        if (part == MatrixPart::lower ? j < i : j > i) highest = std::max(highest, level_of(levels, j));
      }
      CHECK(level_of(levels, i) == highest + 1);
    }
  }
}

TEST_CASE("a product by slices is that of the matrix") {
  const CsrPattern pattern = make_pattern(150);
  std::vector<double> values, x;
  for (std::size_t k = 0; k < pattern.column.size(); ++k) values.push_back(std::sin(static_cast<double>(k)));
  for (int i = 0; i < 150; ++i) x.push_back(std::cos(2. * i));
  const SlicedPattern sliced = make_slices(pattern, MatrixPart::whole);
  std::vector<double> filled(sliced.column.size(), -1);
  const FillSlices<double> fill{{pattern.first.data(), pattern.first.data() + 1, nullptr, values.data(), 0},
                                {sliced.rows.data(), sliced.first.data(), nullptr, nullptr},
                                filled.data()};
  for (std::int32_t k = 0; k < 150; ++k) fill(0, k, nullptr);
  constexpr std::size_t of_slice = 32;
  for (std::size_t k = 0; k < sliced.rows.size(); ++k) {
    double found = 0;
    const auto slice = k / of_slice;
    for (auto at = sliced.first[slice] + static_cast<std::int64_t>(k % of_slice); at < sliced.first[slice + 1];
         at += static_cast<std::int64_t>(of_slice)) {
      const auto place = static_cast<std::size_t>(at);
      found += filled[place] * x[static_cast<std::size_t>(sliced.column[place])];
    }
    const auto row = static_cast<std::size_t>(sliced.rows[k]);
    double expected = 0;
    for (auto at = pattern.first[row]; at < pattern.first[row + 1]; ++at)
      expected += values[static_cast<std::size_t>(at)] *
                  x[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(at)])];
    CHECK(found == expected);
  }
}

TEST_CASE("an empty matrix has no levels") { CHECK(find_levels({}, MatrixPart::lower).order.empty()); }
