#include "fem/sparse/nested_dissection.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"

namespace tetrawave::fem {

namespace {

using Index = std::int32_t;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What lies between two sides of a graph: rows of a band, whether they touch a side, and the entries among them.
struct Band {
  std::vector<Index> rows;
  std::vector<char> touches_low, touches_high;
  std::vector<std::size_t> first{0};  ///< per row, into `neighbours`
  std::vector<Index> neighbours;      ///< as numbers in the band
};

/// A minimum set of rows of a band without which nothing leads from its low side to the high one (K. Menger): a maximum
/// number of paths that share no row (E. A. Dinic, Soviet Math. Doklady 11 (1970) 1277). A path enters a row at its
/// front and leaves it at its back; a new one may go back along others, which are then joined anew.
class MinimumSeparator {
 public:
  explicit MinimumSeparator(const Band& band)
      : band_(band),
        before_(band.rows.size(), none),
        after_(band.rows.size(), none),
        level_(2 * band.rows.size()),
        next_(2 * band.rows.size()) {
    while (find_levels()) add_paths();
  }

  /// Per row of the band: -1 on the low side, 0 in the separator, 1 on the high side.
  [[nodiscard]] std::vector<int> sides() const {
    std::vector<int> result(band_.rows.size());
    for (std::size_t v = 0; v < result.size(); ++v)
      result[v] = level_[back(v)] != none ? -1 : (level_[front(v)] != none ? 0 : 1);
    return result;
  }

 private:
  static constexpr Index none = -1, low_side = -2, high_side = -3;

  static std::size_t front(std::size_t v) { return 2 * v; }
  static std::size_t back(std::size_t v) { return 2 * v + 1; }
  [[nodiscard]] bool can_end(std::size_t state) const {
    return state % 2 == 1 && band_.touches_high[state / 2] != 0 && after_[state / 2] != high_side;
  }

  /// Calls visit(state) for the states that a new path can go on to, from the one numbered `from` on, until it returns
  /// true; leaves `from` at that one.
  template <class Visit>
  bool go_on(std::size_t state, std::size_t& from, const Visit& visit) const {
    const std::size_t v = state / 2;
    if (state == front(v)) {
      for (; from < 1; ++from)
        if (before_[v] == none ? visit(back(v)) : before_[v] != low_side && visit(back(at(before_[v])))) return true;
      return false;
    }
    const std::size_t count = band_.first[v + 1] - band_.first[v];
    for (; from < count; ++from) {
      const Index w = band_.neighbours[band_.first[v] + from];
      if (after_[v] != w && visit(front(at(w)))) return true;
    }
    for (; from < count + 1; ++from)
      if (before_[v] != none && visit(front(v))) return true;
    return false;
  }

  /// Steps from the low side to every state; whether a path can end.
  bool find_levels() {
    bool ends = false;
    std::fill(level_.begin(), level_.end(), none);
    std::vector<std::size_t> queue;
    for (std::size_t v = 0; v < band_.rows.size(); ++v)
      if (band_.touches_low[v] != 0) {
        level_[front(v)] = 0;
        queue.push_back(front(v));
      }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t state = queue[head];
      ends = ends || can_end(state);
      if (ends) continue;  // longer paths wait for their turn
      std::size_t from = 0;
      go_on(state, from, [&](std::size_t to) {
        if (level_[to] == none) {
          level_[to] = level_[state] + 1;
          queue.push_back(to);
        }
        return false;
      });
    }
    return ends;
  }

  /// Shortest ones.
  void add_paths() {
    constexpr Index blocked = -2;
    std::fill(next_.begin(), next_.end(), 0);
    std::vector<std::size_t> path;
    for (std::size_t v = 0; v < band_.rows.size(); ++v) {
      if (level_[front(v)] != 0 || before_[v] == low_side) continue;
      path.assign(1, front(v));
      while (!path.empty() && !can_end(path.back())) {
        const std::size_t state = path.back();
        const bool goes_on = go_on(state, next_[state], [&](std::size_t to) {
          if (level_[to] != level_[state] + 1) return false;
          path.push_back(to);
          return true;
        });
        if (goes_on) continue;
        level_[state] = blocked;
        path.pop_back();
      }
      for (const std::size_t state : path) level_[state] = blocked;
      if (!path.empty()) take(path);
    }
  }

  void take(const std::vector<std::size_t>& path) {
    for (std::size_t k = 1; k < path.size(); ++k) {
      const std::size_t v = path[k - 1] / 2, w = path[k] / 2;
      if (v == w || path[k] != back(w)) continue;
      before_[v] = after_[w] = none;  // back along the path from w to v
    }
    before_[path.front() / 2] = low_side;
    after_[path.back() / 2] = high_side;
    for (std::size_t k = 1; k < path.size(); ++k) {
      const std::size_t v = path[k - 1] / 2, w = path[k] / 2;
      if (v == w || path[k] != front(w)) continue;
      after_[v] = static_cast<Index>(w);
      before_[w] = static_cast<Index>(v);
    }
  }

  const Band& band_;
  std::vector<Index> before_, after_;  ///< of a row on a path, else none
  std::vector<Index> level_;           ///< per state
  std::vector<std::size_t> next_;      ///< per state: what go_on tries next
};

/// A place to cut a set of rows.
struct Plane {
  Vec3 direction{};
  double low = 0, high = 0;  ///< of the band along it
  double cost = 0;
};

class Dissection {
 public:
  Dissection(const CsrPattern& pattern, int levels, int threads)
      : pattern_(pattern),
        levels_(levels),
        threads_(threads),
        row_(at(pattern.rows())),
        set_(row_.size(), 0),
        number_(row_.size(), none),
        sizes_((std::size_t{1} << static_cast<unsigned>(levels)) - 1, 0) {
    ensure(pattern.positions.size() == row_.size(), "an unknown has a position");
    std::iota(row_.begin(), row_.end(), Index{0});
    dissect({0, row_.size()}, 0, 0, 0);
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
  static constexpr Index none = -1;
  static constexpr std::size_t leaf = 128;  ///< rows that minimum degree orders

  struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  // Other threads ask for rows of their own sets, and may meet rows of these.
  [[nodiscard]] Index set_of(Index row) const {
    return std::atomic_ref<Index>(set_[at(row)]).load(std::memory_order_relaxed);
  }
  void set(Index row, Index to) { std::atomic_ref<Index>(set_[at(row)]).store(to, std::memory_order_relaxed); }

  /// All rows are in set `label`, a number of its own for every set of one depth.
  void dissect(Range rows, int level, std::size_t node, Index label) {
    if (level == levels_ - 1) sizes_[node] = static_cast<Index>(rows.size());
    if (rows.size() <= leaf && level >= levels_ - 1) return order_leaf(rows, label);
    if (rows.size() == 0) return;
    // Nodes of the tree are work for threads and GPUs, which wait for the largest.
    const double least_part = level < levels_ - 1 ? 0.45 : 0.3;
    const auto [low, high] = cut(rows, label, least_part, std::max(1, threads_ >> level));
    if (level < levels_ - 1) sizes_[node] = static_cast<Index>(rows.end - high.end);
    const auto first = [&, below = low] { dissect(below, level + 1, 2 * node + 1, 2 * label); };
    const auto second = [&, below = high] { dissect(below, level + 1, 2 * node + 2, 2 * label + 1); };
    if (threads_ >> level > 1) {
      auto other = std::async(std::launch::async, first);
      second();
      other.get();
    } else {
      first();
      second();
    }
  }

  /// Sorts rows into two sets, and the separator behind them.
  std::pair<Range, Range> cut(Range rows, Index label, double least_part, int threads) {
    const Index low = 2 * label, high = 2 * label + 1, between = -2 - label;
    const Plane plane = find_plane(rows, label, least_part, threads);
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      const double along = dot(plane.direction, pattern_.positions[at(row_[k])]);
      set(row_[k], along < plane.low ? low : (along < plane.high ? between : high));
    }
    // Long entries may pass over the band.
    for (std::size_t k = rows.begin; k < rows.end; ++k)
      if (set_of(row_[k]) == low && touches(row_[k], high)) set(row_[k], between);
    const Band band = list_band(rows, low, high, between);
    const std::vector<int> side = MinimumSeparator(band).sides();
    for (std::size_t v = 0; v < side.size(); ++v) set(band.rows[v], side[v] < 0 ? low : (side[v] > 0 ? high : none));
    const auto begin = row_.begin() + static_cast<std::ptrdiff_t>(rows.begin);
    const auto end = row_.begin() + static_cast<std::ptrdiff_t>(rows.end);
    const auto middle = std::stable_partition(begin, end, [&](Index row) { return set_of(row) == low; });
    const auto last = std::stable_partition(middle, end, [&](Index row) { return set_of(row) == high; });
    const auto place = [&](auto here) { return static_cast<std::size_t>(here - row_.begin()); };
    // Rows that nothing tells apart are not cut any further.
    if (middle == end || (middle == begin && last == end)) return {{rows.begin, rows.begin}, {rows.begin, rows.begin}};
    return {{rows.begin, place(middle)}, {place(middle), place(last)}};
  }

  [[nodiscard]] Plane find_plane(Range rows, Index label, double least_part, int threads) const {
    static const std::array<Vec3, 9> directions{
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}}};
    std::array<Plane, directions.size()> planes;
    for_each_task(planes.size(), threads,
                  [&](std::size_t d) { planes[d] = best_plane(rows, label, least_part, directions[d]); });
    return *std::min_element(planes.begin(), planes.end(),
                             [](const Plane& a, const Plane& b) { return a.cost < b.cost; });
  }

  /// Of all places across a direction the one with the fewest rows that have entries with rows beyond; the middle
  /// counts more.
  [[nodiscard]] Plane best_plane(Range rows, Index label, double least_part, const Vec3& direction) const {
    constexpr std::size_t bins = 512;
    const auto along = [&](Index row) { return dot(direction, pattern_.positions[at(row)]); };
    double least = along(row_[rows.begin]), most = least;
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      least = std::min(least, along(row_[k]));
      most = std::max(most, along(row_[k]));
    }
    const double width = (most - least) / bins;
    const Plane plane{direction, least, most, std::numeric_limits<double>::infinity()};
    if (!(width > 0)) return plane;
    const auto bin_of = [&](Index row) {
      return std::min(bins - 1, static_cast<std::size_t>((along(row) - least) / width));
    };
    std::array<std::int64_t, bins + 1> inside{}, crossing{};
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      const std::size_t own = bin_of(row_[k]);
      std::size_t far = own;
      for_columns(row_[k], [&](Index j) {
        if (set_of(j) == label) far = std::max(far, bin_of(j));
      });
      ++inside[own];
      ++crossing[own + 1];
      --crossing[far + 1];
    }
    return choose(plane, width, inside, crossing, least_part);
  }

  /// `inside`: rows of a bin; `crossing`: by how much there are more at its lower end than at the one before.
  template <class Counts>
  [[nodiscard]] static Plane choose(Plane plane, double width, const Counts& inside, const Counts& crossing,
                                    double least_part) {
    constexpr double layers = 3, widest = 0.2;
    const double rows = std::accumulate(inside.begin(), inside.end(), 0.0);
    std::vector<double> below{0};
    for (std::size_t b = 0; b + 1 < inside.size(); ++b)
      below.push_back(below.back() + static_cast<double>(inside[b]) / rows);
    double here = 0, best = 0;
    std::size_t place = 0;
    for (std::size_t b = 1; b < below.size(); ++b) {
      here += static_cast<double>(crossing[b]);
      if (below[b] < least_part || below[b] > 1 - least_part) continue;
      const double cost = here * (1 + 4 * std::pow(below[b] - 0.5, 2));
      if (cost >= plane.cost) continue;
      plane.cost = cost;
      best = here;
      place = b;
    }
    if (place == 0) return plane;
    const double half = std::min({widest, layers * best / rows, 0.65 - least_part});
    std::size_t low = place, high = place;
    while (low > 1 && below[place] - below[low - 1] <= half) --low;
    while (high + 1 < below.size() && below[high + 1] - below[place] <= half) ++high;
    const double least = plane.low;
    plane.low = least + static_cast<double>(low) * width;
    plane.high = least + static_cast<double>(high) * width;
    return plane;
  }

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

  [[nodiscard]] Band list_band(Range rows, Index low, Index high, Index between) {
    Band band;
    for (std::size_t k = rows.begin; k < rows.end; ++k)
      if (set_of(row_[k]) == between) {
        number_[at(row_[k])] = static_cast<Index>(band.rows.size());
        band.rows.push_back(row_[k]);
      }
    for (const Index row : band.rows) {
      band.touches_low.push_back(0);
      band.touches_high.push_back(0);
      for_columns(row, [&](Index j) {
        const Index other = set_of(j);
        if (other == low) band.touches_low.back() = 1;
        if (other == high) band.touches_high.back() = 1;
        if (other == between && j != row) band.neighbours.push_back(number_[at(j)]);
      });
      band.first.push_back(band.neighbours.size());
    }
    for (const Index row : band.rows) number_[at(row)] = none;
    return band;
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
  int levels_;
  int threads_;
  std::vector<Index> row_;          ///< of a set consecutive: left part, right part, separator
  mutable std::vector<Index> set_;  ///< per row: label, or none in a separator
  std::vector<Index> number_;       ///< per row, in the set at work
  std::vector<Index> sizes_;        ///< of the nodes from the root, the children of k at 2 k + 1 and 2 k + 2
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
