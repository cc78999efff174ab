// The fewest rows between two sides of a sparse matrix.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace tetrawave::fem {

/// What lies between two sides of a graph: rows of a band, whether they touch a side, and the entries among them.
struct Band {
  using Index = std::int32_t;
  std::vector<Index> rows;
  std::vector<char> touches_low, touches_high;
  std::vector<std::size_t> first{0};  ///< per row, into `neighbours`
  std::vector<Index> neighbours;      ///< as numbers in the band
};

/// A minimum set of rows of a band without which nothing leads from its low side to the high one (K. Menger), of
/// several the nearest to the low side: a maximum number of paths that share no row. A path enters a row at its front
/// and leaves it at its back; a new one may go back along others, which are then joined anew. As by E. A. Dinic (Soviet
/// Math. Doklady 11 (1970) 1277) each search has steps from the low side and then many paths along them, but to every
/// end and not to the nearest ones alone: a third of the searches.
class MinimumSeparator {
 public:
  /// Rows of the band that are near each other should have near numbers: most paths are found in strips of them, on a
  /// thread each, most of the others in strips across the borders of those. The result is the same for all strips.
  MinimumSeparator(const Band& band, int threads)
      : band_(band),
        before_(band.rows.size(), none),
        after_(band.rows.size(), none),
        level_(2 * band.rows.size()),
        next_(2 * band.rows.size()) {
    const std::size_t rows = band.rows.size();
    for (std::size_t strips = count_ranges(rows, threads); strips > 1; strips /= 4)
      for (const std::size_t shift : {0, 1})
        for_each_task(strips + shift, threads, [&](std::size_t strip) {
          const auto border = [&](std::size_t k) {
            return std::min(std::max(2 * k, shift) - shift, 2 * strips) * rows / (2 * strips);
          };
          find_paths({border(strip), border(strip + 1)});
        });
    find_paths({0, rows});
  }

  /// Per row of the band: -1 on the low side, 0 in the separator, 1 on the high side.
  [[nodiscard]] std::vector<int> sides() const {
    std::vector<int> result(band_.rows.size());
    for (std::size_t v = 0; v < result.size(); ++v)
      result[v] = level_[back(v)] != none ? -1 : (level_[front(v)] != none ? 0 : 1);
    return result;
  }

 private:
  using Index = Band::Index;
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static constexpr Index none = -1, low_side = -2, high_side = -3;

  struct Strip {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool has(Index row) const { return at(row) >= begin && at(row) < end; }
  };

  static std::size_t front(std::size_t v) { return 2 * v; }
  static std::size_t back(std::size_t v) { return 2 * v + 1; }
  [[nodiscard]] bool can_end(std::size_t state) const {
    return state % 2 == 1 && band_.touches_high[state / 2] != 0 && after_[state / 2] != high_side;
  }

  /// Calls visit(state) for the states in a strip that a new path can go on to, from the one numbered `from` on, until
  /// it returns true; leaves `from` at that one.
  template <class Visit>
  bool go_on(const Strip& strip, std::size_t state, Index& from, const Visit& visit) const {
    const std::size_t v = state / 2;
    if (state == front(v)) {
      for (; from < 1; ++from)
        if (before_[v] == none ? visit(back(v))
                               : before_[v] >= 0 && strip.has(before_[v]) && visit(back(at(before_[v]))))
          return true;
      return false;
    }
    const auto count = static_cast<Index>(band_.first[v + 1] - band_.first[v]);
    for (; from < count; ++from) {
      const Index w = band_.neighbours[band_.first[v] + at(from)];
      if (strip.has(w) && after_[v] != w && visit(front(at(w)))) return true;
    }
    for (; from < count + 1; ++from)
      if (before_[v] != none && visit(front(v))) return true;
    return false;
  }

  void find_paths(const Strip& strip) {
    std::vector<std::size_t> list;
    while (find_levels(strip, list)) add_paths(strip, list);
  }

  /// Steps from the low side to every state; whether a path can end.
  bool find_levels(const Strip& strip, std::vector<std::size_t>& queue) {
    bool ends = false;
    queue.clear();
    for (std::size_t v = strip.begin; v < strip.end; ++v) {
      const bool begins = band_.touches_low[v] != 0;
      level_[front(v)] = begins ? 0 : none;
      level_[back(v)] = none;
      if (begins) queue.push_back(front(v));
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t state = queue[head];
      const bool end = can_end(state);
      ends = ends || end;
      if (end) continue;
      Index from = 0;
      go_on(strip, state, from, [&](std::size_t to) {
        if (level_[to] == none) {
          level_[to] = level_[state] + 1;
          queue.push_back(to);
        }
        return false;
      });
    }
    return ends;
  }

  /// Of rising levels.
  void add_paths(const Strip& strip, std::vector<std::size_t>& path) {
    constexpr Index blocked = -2;
    std::fill(next_.begin() + static_cast<std::ptrdiff_t>(front(strip.begin)),
              next_.begin() + static_cast<std::ptrdiff_t>(front(strip.end)), 0);
    for (std::size_t v = strip.begin; v < strip.end; ++v) {
      if (level_[front(v)] != 0 || before_[v] == low_side) continue;
      path.assign(1, front(v));
      while (!path.empty() && !can_end(path.back())) {
        const std::size_t state = path.back();
        const bool goes_on = go_on(strip, state, next_[state], [&](std::size_t to) {
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
  std::vector<Index> next_;            ///< per state: what go_on tries next
};

}  // namespace tetrawave::fem
