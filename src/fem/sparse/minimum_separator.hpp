// The fewest rows between two sides of a sparse matrix.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tetrawave::fem {

/// What lies between two sides of a graph: rows of a band, whether they touch a side, and the entries among them.
struct Band {
  using Index = std::int32_t;
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
  using Index = Band::Index;
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
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

}  // namespace tetrawave::fem
