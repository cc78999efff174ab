#include "fem/elimination/nested_dissection.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "fem/elimination/cutting_plane.hpp"
#include "fem/elimination/minimum_separator.hpp"

namespace tetrawave::fem {

namespace {

using Index = Band::Index;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Brings the items [begin, end) with key(item) 0 before those with 1 and these before the others, else in their order;
/// returns where those with 1 begin, and where they end.
template <class Key>
std::pair<std::size_t, std::size_t> sort_in_three(std::vector<Index>& list, std::size_t begin, std::size_t end,
                                                  int threads, const Key& key) {
  const std::size_t count = end - begin, ranges = count_ranges(count, threads);
  std::vector<std::array<std::size_t, 3>> place(ranges, {0, 0, 0});  // counts, then where each range goes on
  for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    std::array<std::size_t, 3> own{};
    for (std::size_t k = first; k < last; ++k) ++own[key(list[begin + k])];
    place[range] = own;
  });
  std::size_t next = 0;
  std::array<std::size_t, 3> from{};
  for (std::size_t of = 0; of < 3; ++of) {
    from[of] = next;
    for (auto& own : place) next += std::exchange(own[of], next);
  }
  const auto sorted = std::make_unique_for_overwrite<Index[]>(count);
  for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
    auto own = place[range];
    for (std::size_t k = first; k < last; ++k) sorted[own[key(list[begin + k])]++] = list[begin + k];
  });
  for_ranges(count, ranges, [&](std::size_t, std::size_t first, std::size_t last) {
    std::copy(sorted.get() + first, sorted.get() + last, list.begin() + static_cast<std::ptrdiff_t>(begin + first));
  });
  return {begin + from[1], begin + from[2]};
}

/// The items found of each range, in the order of ranges.
template <class T>
void append(const std::vector<std::vector<T>>& found, std::vector<T>& to) {
  std::size_t count = to.size();
  for (const auto& part : found) count += part.size();
  to.reserve(count);
  for (const auto& part : found) to.insert(to.end(), part.begin(), part.end());
}

/// The groups of a pattern as a graph: what its planes are chosen by.
struct GroupGraph {
  std::vector<Index> begin, row;      ///< rows of a group, and where they begin
  std::vector<Vec3> place;            ///< [m] mean of them
  std::vector<std::size_t> first{0};  ///< per group, into `neighbours`
  std::vector<Index> neighbours;

  GroupGraph(const CsrPattern& pattern, int threads) {
    if (pattern.group.empty()) return;
    const std::size_t groups = at(*std::max_element(pattern.group.begin(), pattern.group.end())) + 1;
    begin.assign(groups + 1, 0);
    row.resize(pattern.group.size());
    const auto take = [](Index& counter) { return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); };
    for_each_index(row.size(), threads, [&](std::size_t r) { take(begin[at(pattern.group[r]) + 1]); });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Index> next(begin.begin(), begin.end() - 1);
    for_each_index(row.size(), threads,
                   [&](std::size_t r) { row[at(take(next[at(pattern.group[r])]))] = static_cast<Index>(r); });
    for_each_index(groups, threads,
                   [this](std::size_t g) { std::sort(row.begin() + begin[g], row.begin() + begin[g + 1]); });
    place.resize(groups);
    first.resize(groups + 1);
    const std::size_t ranges = count_ranges(groups, row.size(), threads);
    std::vector<std::vector<Index>> found(ranges);
    for_ranges(groups, ranges, [&](std::size_t range, std::size_t from, std::size_t to) {
      std::vector<Index> seen(groups, -1);  // by which group
      for (std::size_t g = from; g < to; ++g) {
        const std::size_t before = found[range].size();
        seen[g] = static_cast<Index>(g);
        for (Index k = begin[g]; k < begin[g + 1]; ++k) {
          const std::size_t r = at(row[at(k)]);
          place[g] = place[g] + (1.0 / static_cast<double>(begin[g + 1] - begin[g])) * pattern.positions[r];
          for (auto c = pattern.first[r]; c < pattern.first[r + 1]; ++c) {
            const Index other = pattern.group[at(pattern.column[static_cast<std::size_t>(c)])];
            if (std::exchange(seen[at(other)], static_cast<Index>(g)) != static_cast<Index>(g))
              found[range].push_back(other);
          }
        }
        first[g + 1] = found[range].size() - before;
      }
    });
    std::partial_sum(first.begin(), first.end(), first.begin());
    append(found, neighbours);
  }

  [[nodiscard]] std::size_t size() const { return place.size(); }
};

class Dissection {
 public:
  Dissection(const CsrPattern& pattern, int levels, int threads)
      : pattern_(pattern),
        groups_(pattern, threads),
        levels_(levels),
        threads_(threads),
        row_(at(pattern.rows())),
        group_(groups_.size()),
        set_(row_.size(), root),
        set_of_group_(groups_.size(), root),
        number_(row_.size(), none),
        sizes_((std::size_t{1} << static_cast<unsigned>(levels)) - 1, 0) {
    ensure(pattern.positions.size() == row_.size(), "an unknown has a position");
    std::iota(row_.begin(), row_.end(), Index{0});
    std::iota(group_.begin(), group_.end(), Index{0});
    dissect({0, row_.size()}, {0, group_.size()}, 0, 0, root);
  }

  [[nodiscard]] EliminationOrder order() const {
    std::vector<std::size_t> begin(sizes_.size());
    std::size_t next = 0;
    find_begins(0, next, begin);
    EliminationOrder result{{}, {}, levels_};
    for (std::size_t width = (sizes_.size() + 1) / 2; width > 0; width /= 2)
      for (std::size_t node = width - 1; node < 2 * width - 1; ++node) {
        const auto from = row_.begin() + static_cast<std::ptrdiff_t>(begin[node]);
        result.row.insert(result.row.end(), from, from + sizes_[node]);
        result.sizes.push_back(sizes_[node]);
      }
    return result;
  }

 private:
  static constexpr Index none = -1, root = 1;       ///< labels of sets: those of the two parts of k are 2 k and 2 k + 1
  static constexpr int parts_of_thread = 4;         ///< subtrees, which are of unlike size
  static constexpr std::size_t leaf = 128;          ///< rows that minimum degree orders
  static constexpr std::size_t least_groups = 400;  ///< for a plane; of fewer the rows choose it

  struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  // Other threads ask for rows of their own sets, and may meet rows of these.
  static Index get(std::vector<Index>& list, Index i) {
    return std::atomic_ref<Index>(list[at(i)]).load(std::memory_order_relaxed);
  }
  static void set(std::vector<Index>& list, Index i, Index to) {
    std::atomic_ref<Index>(list[at(i)]).store(to, std::memory_order_relaxed);
  }
  [[nodiscard]] Index set_of(Index row) const { return get(set_, row); }
  void set(Index row, Index to) { set(set_, row, to); }

  /// All rows are in set `label`, which no other set has: rows of a group can be in several. `groups` have most of
  /// them.
  void dissect(Range rows, Range groups, int level, std::size_t node, Index label) {
    if (level == levels_ - 1) sizes_[node] = static_cast<Index>(rows.size());
    if (rows.size() <= leaf && level >= levels_ - 1) return order_leaf(rows, label);
    if (rows.size() == 0) return;
    // Nodes of the tree are work for threads and GPUs, which wait for the largest; the first separators make the
    // factors large, and may be sides of cells of an array.
    const double least_part = level < 5 ? 0.36 : (level < levels_ - 1 ? 0.45 : 0.3);
    const int threads = std::max(1, threads_ >> level);
    const auto [low, high] = cut(rows, groups, label, least_part, threads);
    const auto [low_groups, high_groups] = sort_groups(groups, label, threads);
    if (level < levels_ - 1) sizes_[node] = static_cast<Index>(rows.end - high.end);
    const auto first = [&, below = low, with = low_groups] {
      dissect(below, with, level + 1, 2 * node + 1, 2 * label);
    };
    const auto second = [&, below = high, with = high_groups] {
      dissect(below, with, level + 1, 2 * node + 2, 2 * label + 1);
    };
    if (threads_ > 1 && parts_of_thread * threads_ >> level > 1) {
      auto other = std::async(std::launch::async, first);
      second();
      other.get();
    } else {
      first();
      second();
    }
  }

  /// Sorts rows into two sets, and the separator behind them. `least_part`: of the rows on either side.
  std::pair<Range, Range> cut(Range rows, Range groups, Index label, double least_part, int threads) {
    const Index low = 2 * label, high = 2 * label + 1, between = -2 - label;
    const CuttingPlane plane = find_plane(rows, groups, label, least_part, threads);
    for_each_index(rows.size(), threads, [&](std::size_t k) {
      const Index row = row_[rows.begin + k];
      const double along = dot(plane.direction, pattern_.positions[at(row)]);
      set(row, along < plane.low ? low : (along < plane.high ? between : high));
    });
    // Long entries may pass over the band.
    for_each_index(rows.size(), threads, [&](std::size_t k) {
      const Index row = row_[rows.begin + k];
      if (set_of(row) == low && touches(row, high)) set(row, between);
    });
    const Band band = list_band(rows, low, high, between, threads);
    const std::vector<int> side = MinimumSeparator(band, threads).sides();
    for (std::size_t v = 0; v < side.size(); ++v) set(band.rows[v], side[v] < 0 ? low : (side[v] > 0 ? high : none));
    const auto [middle, last] = sort_in_three(row_, rows.begin, rows.end, threads, [&](Index row) {
      const Index own = set_of(row);
      return own == low ? 0U : (own == high ? 1U : 2U);
    });
    // Rows that nothing tells apart are not cut any further.
    if (middle == rows.end || (middle == rows.begin && last == rows.end))
      return {{rows.begin, rows.begin}, {rows.begin, rows.begin}};
    return {{rows.begin, middle}, {middle, last}};
  }

  /// A group goes with its first row that is in one of the two sets.
  std::pair<Range, Range> sort_groups(Range groups, Index label, int threads) {
    const Index low = 2 * label, high = 2 * label + 1;
    for_each_index(groups.size(), threads, [&](std::size_t g) {
      const Index group = group_[groups.begin + g];
      Index to = none;
      for (Index k = groups_.begin[at(group)]; k < groups_.begin[at(group) + 1] && to == none; ++k)
        if (const Index own = set_of(groups_.row[at(k)]); own == low || own == high) to = own;
      set(set_of_group_, group, to);
    });
    const auto [middle, last] = sort_in_three(group_, groups.begin, groups.end, threads, [&](Index group) {
      const Index own = get(set_of_group_, group);
      return own == low ? 0U : (own == high ? 1U : 2U);
    });
    return {{groups.begin, middle}, {middle, last}};
  }

  [[nodiscard]] CuttingPlane find_plane(Range rows, Range groups, Index label, double least_part, int threads) const {
    if (groups.size() >= least_groups) return PlaneSearch(GroupNodes{*this, groups, label}, threads).best(least_part);
    return PlaneSearch(RowNodes{*this, rows, label}, threads).best(least_part);
  }

  /// The rows of a set, for a plane.
  struct RowNodes {
    const Dissection& of;
    Range range;
    Index label;
    [[nodiscard]] std::size_t size() const { return range.size(); }
    [[nodiscard]] Index operator[](std::size_t k) const { return of.row_[range.begin + k]; }
    [[nodiscard]] const std::array<double, 3>& place(Index row) const { return of.pattern_.positions[at(row)]; }
    [[nodiscard]] static Index weight(Index /*row*/) { return 1; }
    template <class Visit>
    void for_neighbours(Index row, const Visit& visit) const {
      of.for_columns(row, [&](Index j) {
        if (of.set_of(j) == label) visit(j);
      });
    }
  };

  /// The groups of a set, likewise.
  struct GroupNodes {
    const Dissection& of;
    Range range;
    Index label;
    [[nodiscard]] std::size_t size() const { return range.size(); }
    [[nodiscard]] Index operator[](std::size_t k) const { return of.group_[range.begin + k]; }
    [[nodiscard]] const Vec3& place(Index group) const { return of.groups_.place[at(group)]; }
    [[nodiscard]] Index weight(Index group) const {
      return of.groups_.begin[at(group) + 1] - of.groups_.begin[at(group)];
    }
    template <class Visit>
    void for_neighbours(Index group, const Visit& visit) const {
      for (std::size_t k = of.groups_.first[at(group)]; k < of.groups_.first[at(group) + 1]; ++k)
        if (const Index other = of.groups_.neighbours[k]; get(of.set_of_group_, other) == label) visit(other);
    }
  };

  template <class Visit>
  void for_columns(Index row, const Visit& visit) const {
    for (auto k = pattern_.first[at(row)]; k < pattern_.first[at(row) + 1]; ++k)
      visit(pattern_.column[static_cast<std::size_t>(k)]);
  }
  [[nodiscard]] bool touches(Index row, Index label) const {
    bool found = false;
    for_columns(row, [&](Index j) { found = found || set_of(j) == label; });
    return found;
  }

  [[nodiscard]] Band list_band(Range rows, Index low, Index high, Index between, int threads) {
    Band band;
    std::vector<std::vector<Index>> found(count_ranges(rows.size(), threads));
    for_ranges(rows.size(), found.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
      for (std::size_t k = rows.begin + first; k < rows.begin + last; ++k)
        if (set_of(row_[k]) == between) found[range].push_back(row_[k]);
    });
    append(found, band.rows);
    if (threads > 1) sort_along(band.rows);
    const std::size_t count = band.rows.size();
    for_each_index(count, threads, [&](std::size_t k) { number_[at(band.rows[k])] = static_cast<Index>(k); });
    band.touches_low.assign(count, 0);
    band.touches_high.assign(count, 0);
    band.first.assign(count + 1, 0);
    found.assign(count_ranges(count, threads), {});
    for_ranges(count, found.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t before = found[range].size();
        for_columns(band.rows[k], [&](Index j) {
          const Index other = set_of(j);
          if (other == low) band.touches_low[k] = 1;
          if (other == high) band.touches_high[k] = 1;
          if (other == between && j != band.rows[k]) found[range].push_back(number_[at(j)]);
        });
        band.first[k + 1] = found[range].size() - before;
      }
    });
    std::partial_sum(band.first.begin(), band.first.end(), band.first.begin());
    append(found, band.neighbours);
    for_each_index(count, threads, [&](std::size_t k) { number_[at(band.rows[k])] = none; });
    return band;
  }

  /// Along the axis on which rows are the farthest apart.
  void sort_along(std::vector<Index>& rows) const {
    std::size_t axis = 0;
    double longest = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto place = [&](Index row) { return pattern_.positions[at(row)][d]; };
      const auto less = [&](Index a, Index b) { return place(a) < place(b); };
      const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), less);
      if (rows.empty() || place(*most) - place(*least) <= longest) continue;
      longest = place(*most) - place(*least);
      axis = d;
    }
    std::vector<std::pair<double, Index>> places;
    for (const Index row : rows) places.emplace_back(pattern_.positions[at(row)][axis], row);
    std::sort(places.begin(), places.end());
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = places[k].second;
  }

  void order_leaf(Range rows, Index label) {
    if (rows.size() < 3) return;
    const std::vector<Index> own(row_.begin() + static_cast<std::ptrdiff_t>(rows.begin),
                                 row_.begin() + static_cast<std::ptrdiff_t>(rows.end));
    for (std::size_t k = 0; k < own.size(); ++k) number_[at(own[k])] = static_cast<Index>(k);
    std::vector<Eigen::Triplet<float, Index>> entries;
    for (std::size_t k = 0; k < own.size(); ++k)
      for_columns(own[k], [&](Index j) {
        if (set_of(j) == label) entries.emplace_back(static_cast<Index>(k), number_[at(j)], 1.0F);
      });
    const auto count = static_cast<Index>(own.size());
    Eigen::SparseMatrix<float, Eigen::ColMajor, Index> matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> order;
    Eigen::AMDOrdering<Index>()(matrix, order);
    for (std::size_t k = 0; k < own.size(); ++k) {
      row_[rows.begin + k] = own[at(order.indices()[static_cast<Eigen::Index>(k)])];
      number_[at(own[k])] = none;
    }
  }

  void find_begins(std::size_t node, std::size_t& next, std::vector<std::size_t>& begin) const {
    if (2 * node + 2 < sizes_.size()) {
      find_begins(2 * node + 1, next, begin);
      find_begins(2 * node + 2, next, begin);
    }
    begin[node] = next;
    next += at(sizes_[node]);
  }

  const CsrPattern& pattern_;
  const GroupGraph groups_;
  int levels_;
  int threads_;
  std::vector<Index> row_;                   ///< of a set consecutive: left part, right part, separator
  std::vector<Index> group_;                 ///< likewise: left part, right part, those in neither
  mutable std::vector<Index> set_;           ///< per row: label, or none in a separator
  mutable std::vector<Index> set_of_group_;  ///< per group, likewise
  std::vector<Index> number_;                ///< per row, in the set at work
  std::vector<Index> sizes_;                 ///< of the nodes from the root, the children of k at 2 k + 1 and 2 k + 2
};

}  // namespace

EliminationOrder dissect(const CsrPattern& pattern, int levels, int threads) {
  return Dissection(pattern, levels, threads).order();
}

int dissection_levels(std::int32_t rows) {
  constexpr std::int32_t least = 2000;
  constexpr int most = 10;  // as cuDSS by itself
  if (rows < least) return 0;
  int levels = 2;
  while (levels < most && rows >> static_cast<unsigned>(levels) > 64) ++levels;
  return levels;
}

}  // namespace tetrawave::fem
