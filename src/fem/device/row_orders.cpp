#include "fem/device/row_orders.hpp"

#include <algorithm>
#include <numeric>

#include "fem/device/rows.hpp"

namespace tetrawave::fem::device {

namespace {

/// Those of level -1 are left out.
Levels sort_by_level(const std::vector<std::int32_t>& level, std::int32_t count) {
  Levels levels;
  levels.first.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const std::int32_t l : level) levels.first[static_cast<std::size_t>(l + 1)] += l < 0 ? 0 : 1;
  std::partial_sum(levels.first.begin(), levels.first.end(), levels.first.begin());
  levels.order.resize(static_cast<std::size_t>(levels.first.back()));
  std::vector<std::int32_t> next(levels.first.begin(), levels.first.end() - 1);
  for (std::size_t i = 0; i < level.size(); ++i)
    if (level[i] >= 0)
      levels.order[static_cast<std::size_t>(next[static_cast<std::size_t>(level[i])]++)] = static_cast<std::int32_t>(i);
  return levels;
}

}  // namespace

Levels find_levels(const CsrPattern& pattern, MatrixPart part) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(pattern.rows()));
  std::iota(order.begin(), order.end(), 0);
  if (part == MatrixPart::upper) std::reverse(order.begin(), order.end());
  return find_levels(pattern, order);
}

Levels find_levels(const CsrPattern& pattern, const std::vector<std::int32_t>& order) {
  const std::span first(pattern.first);
  return find_levels(order, first.first(order.size()), first.subspan(1), pattern.column);
}

Levels find_levels(const std::vector<std::int32_t>& order, std::span<const std::int64_t> begin,
                   std::span<const std::int64_t> end, std::span<const std::int32_t> column) {
  std::vector<std::int32_t> level(order.size(), -1);
  std::int32_t count = 0;
  for (const std::int32_t row : order) {
    const auto i = static_cast<std::size_t>(row);
    std::int32_t own = 0;
    for (auto k = begin[i]; k < end[i]; ++k)
      own = std::max(own, level[static_cast<std::size_t>(column[static_cast<std::size_t>(k)])] + 1);
    level[i] = own;
    count = std::max(count, own + 1);
  }
  return sort_by_level(level, count);
}

Levels find_colours(const CsrPattern& pattern, const std::vector<bool>& rows) {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> colour(rows.size(), none);
  std::vector<std::size_t> taken;  // by which row's neighbours, and one
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k)
      if (const std::int32_t c = colour[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
          c != none)
        taken[static_cast<std::size_t>(c)] = i + 1;
    const auto free = std::find_if(taken.begin(), taken.end(), [i](std::size_t by) { return by != i + 1; });
    colour[i] = static_cast<std::int32_t>(free - taken.begin());
    if (free == taken.end()) taken.push_back(0);
  }
  return sort_by_level(colour, static_cast<std::int32_t>(taken.size()));
}

ColourPart split_by_colour(const CsrPattern& pattern, const Levels& colours, bool earlier) {
  std::vector<std::size_t> colour(static_cast<std::size_t>(pattern.rows()), 0);  // and one; 0: none
  for (std::size_t c = 0; c + 1 < colours.first.size(); ++c)
    for (std::int32_t k = colours.first[c]; k < colours.first[c + 1]; ++k)
      colour[static_cast<std::size_t>(colours.order[static_cast<std::size_t>(k)])] = c + 1;
  ColourPart part;
  part.first.push_back(0);
  for (std::size_t i = 0; i < colour.size(); ++i) {
    for (auto k = pattern.first[i]; k < pattern.first[i + 1] && colour[i] > 0; ++k) {
      const std::int32_t column = pattern.column[static_cast<std::size_t>(k)];
      const std::size_t other = colour[static_cast<std::size_t>(column)];
      if (earlier ? other >= colour[i] : other <= colour[i]) continue;
      part.column.push_back(column);
      part.source.push_back(k);
    }
    part.last.push_back(static_cast<std::int64_t>(part.source.size()));
    if (colour[i] > 0) {
      part.column.push_back(static_cast<std::int32_t>(i));
      part.source.push_back(-1 - static_cast<std::int64_t>(i));
    }
    part.first.push_back(static_cast<std::int64_t>(part.source.size()));
  }
  return part;
}

SlicedPattern make_slices(const CsrPattern& pattern, MatrixPart part) {
  constexpr std::size_t window = 1024;  // rows that stay near each other, for the vectors' sake
  constexpr auto of_slice = static_cast<std::size_t>(SlicedRows<double>::rows_of_slice);
  const RowEnds ends = find_row_ends(pattern, part);
  const std::size_t count = ends.begin.size();
  const auto length = [&ends](std::int32_t row) {
    const auto i = static_cast<std::size_t>(row);
    return ends.end[i] - ends.begin[i];
  };
  SlicedPattern sliced;
  sliced.rows.resize(count);
  std::iota(sliced.rows.begin(), sliced.rows.end(), 0);
  for (std::size_t from = 0; from < count; from += window)
    std::stable_sort(sliced.rows.begin() + static_cast<std::ptrdiff_t>(from),
                     sliced.rows.begin() + static_cast<std::ptrdiff_t>(std::min(from + window, count)),
                     [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  sliced.first.push_back(0);
  for (std::size_t from = 0; from < count; from += of_slice) {
    const std::int64_t longest = length(sliced.rows[from]);
    for (std::int64_t d = 0; d < longest; ++d)
      for (std::size_t k = from; k < from + of_slice; ++k) {
        const std::int32_t row = k < count ? sliced.rows[k] : 0;
        const bool has = k < count && d < length(row);
        sliced.column.push_back(
            has ? pattern.column[static_cast<std::size_t>(ends.begin[static_cast<std::size_t>(row)] + d)] : row);
      }
    sliced.first.push_back(static_cast<std::int64_t>(sliced.column.size()));
  }
  return sliced;
}

}  // namespace tetrawave::fem::device
