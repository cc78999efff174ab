#include "mesh/connect/order_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "mesh/connect/partition.hpp"

namespace tetrawave {

namespace {

using Numbers = std::vector<LocalIndex>;

std::size_t index_of(LocalIndex number) { return static_cast<std::size_t>(number); }

using Keys = std::vector<std::pair<std::uint64_t, LocalIndex>>;

Numbers sort_along_curve(const ElementGraph& graph, int threads) {
  Keys keys;
  keys.reserve(graph.curve.size());
  for (const std::uint64_t place : graph.curve) keys.emplace_back(place, static_cast<LocalIndex>(keys.size()));
  sort_list(keys, threads);
  Numbers order;
  order.reserve(keys.size());
  for (const auto& key : keys) order.push_back(key.second);
  return order;
}

/// Returns the number at the border.
std::size_t bring_border_first(const ElementGraph& graph, Numbers& order) {
  const auto inner = std::stable_partition(order.begin(), order.end(),
                                           [&](LocalIndex e) { return graph.is_border[index_of(e)] != 0; });
  return static_cast<std::size_t>(inner - order.begin());
}

/// METIS is applied to pieces of the curve: as good for the cache as parts of the whole, and twice as fast.
constexpr std::size_t metis_piece = 16 * order_part;

/// Reorders a piece of the curve part by part; parts in the order of the mean position of their elements.
/// `number_in_piece` is -1 for all elements, before and after.
void order_by_parts(const ElementGraph& graph, std::span<LocalIndex> piece, Numbers& number_in_piece) {
  for (std::size_t i = 0; i < piece.size(); ++i) number_in_piece[index_of(piece[i])] = static_cast<LocalIndex>(i);
  std::vector<std::array<LocalIndex, 4>> neighbours(piece.size());
  for (std::size_t i = 0; i < piece.size(); ++i)
    for (std::size_t f = 0; f < 4; ++f) {
      const LocalIndex n = graph.neighbours[index_of(piece[i])][f];
      neighbours[i][f] = n < 0 ? -1 : number_in_piece[index_of(n)];
    }
  const std::size_t count = (piece.size() + order_part - 1) / order_part;
  const auto part_of = cut_graph(neighbours, static_cast<int>(count));
  std::vector<Numbers> parts(count);
  for (std::size_t i = 0; i < piece.size(); ++i) {
    parts[index_of(part_of[i])].push_back(static_cast<LocalIndex>(i));
    number_in_piece[index_of(piece[i])] = -1;
  }
  std::erase_if(parts, [](const Numbers& part) { return part.empty(); });
  std::sort(parts.begin(), parts.end(),
            [](const Numbers& a, const Numbers& b) { return a[a.size() / 2] < b[b.size() / 2]; });
  const Numbers before(piece.begin(), piece.end());
  std::size_t next = 0;
  for (const Numbers& part : parts)
    for (const LocalIndex i : part) piece[next++] = before[index_of(i)];
}

/// Blocks are grown within pieces of the order, each by one thread.
constexpr std::size_t block_piece = 4096 * order_block;

class BlockGrower {
 public:
  BlockGrower(const ElementGraph& graph, const Numbers& order)
      : graph_(graph), order_(order), place_(order.size()), taken_(order.size(), 0), inside_(order.size(), 0) {
    for (std::size_t i = 0; i < order.size(); ++i) place_[index_of(order[i])] = static_cast<LocalIndex>(i);
  }

  /// The elements at positions [first, last) of the order, in blocks.
  Numbers grow(std::size_t first, std::size_t last) {
    Numbers result;
    result.reserve(last - first);
    std::size_t next = first;
    while (result.size() < last - first) {
      Block block{first, last, first_free(next), {}};
      const std::size_t end = std::min(result.size() + order_block, last - first);
      while (result.size() < end) {
        const LocalIndex chosen = choose(block, next);
        take(block, chosen);
        result.push_back(chosen);
      }
      for (const LocalIndex e : block.candidates) inside_[index_of(e)] = 0;
    }
    return result;
  }

 private:
  struct Block {
    std::size_t first, last;  ///< of the piece
    std::size_t begin;        ///< position of its first element
    Numbers candidates;       ///< free neighbours of its elements
  };

  /// First free position from `next` on, which is moved there.
  std::size_t first_free(std::size_t& next) const {
    while (taken_[index_of(order_[next])] != 0) ++next;
    return next;
  }

  [[nodiscard]] bool is_free(const Block& block, LocalIndex e) const {
    if (e < 0) return false;
    const std::size_t place = index_of(place_[index_of(e)]);
    return place >= block.first && place < block.last && taken_[index_of(e)] == 0;
  }

  /// The candidate with the fewest faces towards free elements; ties are broken by distance from its start on the
  /// curve.
  LocalIndex choose(const Block& block, std::size_t& next) const {
    std::array<std::int64_t, 3> least{std::numeric_limits<std::int64_t>::max(), 0, 0};
    LocalIndex best = -1;
    for (const LocalIndex e : block.candidates) {
      std::int64_t growth = -inside_[index_of(e)];
      for (const LocalIndex n : graph_.neighbours[index_of(e)]) growth += is_free(block, n) ? 1 : 0;
      const std::int64_t place = place_[index_of(e)];
      const std::array<std::int64_t, 3> key{growth, std::abs(place - static_cast<std::int64_t>(block.begin)), place};
      if (key >= least) continue;
      least = key;
      best = e;
    }
    return best >= 0 ? best : order_[first_free(next)];
  }

  void take(Block& block, LocalIndex chosen) {
    taken_[index_of(chosen)] = 1;
    std::erase(block.candidates, chosen);
    for (const LocalIndex n : graph_.neighbours[index_of(chosen)]) {
      if (!is_free(block, n)) continue;
      if (inside_[index_of(n)]++ == 0) block.candidates.push_back(n);
    }
  }

  const ElementGraph& graph_;
  const Numbers& order_;
  Numbers place_;                     ///< of each element in the order
  std::vector<std::uint8_t> taken_;   ///< already in a block
  std::vector<std::uint8_t> inside_;  ///< faces of a candidate shared with the present block
};

/// `border` elements come first; no block contains elements of both kinds.
Numbers grow_blocks(const ElementGraph& graph, const Numbers& order, std::size_t border, int threads) {
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  const auto add_pieces = [&](std::size_t first, std::size_t last) {
    for (; first < last; first += block_piece) pieces.emplace_back(first, std::min(last, first + block_piece));
  };
  add_pieces(0, border);
  add_pieces(border, order.size());
  BlockGrower grower(graph, order);
  Numbers result(order.size());
  for_each_task(pieces.size(), threads, [&](std::size_t p) {
    const Numbers piece = grower.grow(pieces[p].first, pieces[p].second);
    std::copy(piece.begin(), piece.end(), result.begin() + static_cast<std::ptrdiff_t>(pieces[p].first));
  });
  return result;
}

}  // namespace

std::vector<LocalIndex> order_elements(const ElementGraph& graph, Ordering ordering, int threads) {
  Numbers order(graph.curve.size());
  if (ordering == Ordering::none)
    std::iota(order.begin(), order.end(), 0);
  else
    order = sort_along_curve(graph, threads);
  if (ordering == Ordering::parts) {
    Numbers number_in_piece(order.size(), -1);
    for (std::size_t first = 0; first < order.size(); first += metis_piece)
      order_by_parts(graph, std::span(order).subspan(first, std::min(metis_piece, order.size() - first)),
                     number_in_piece);
  }
  const std::size_t border = bring_border_first(graph, order);
  return ordering == Ordering::blocks ? grow_blocks(graph, order, border, threads) : order;
}

}  // namespace tetrawave
