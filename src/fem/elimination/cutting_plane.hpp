// Where a set of the nodes of a graph is cut: of planes across nine directions the one that the fewest couplings cross.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/types.hpp"

namespace tetrawave::fem {

/// A place to cut a set of rows: those with direction . position below `low` are on the low side, those from `high` on
/// on the high one.
struct CuttingPlane {
  Vec3 direction{};
  double low = 0, high = 0;
  double cost = std::numeric_limits<double>::infinity();
};

/// Finds the place with the fewest rows in nodes that have couplings with nodes beyond; the middle counts more. Nodes
/// have a size(), a node operator[](k), its place(node) [m], weight(node) in rows, and for_neighbours(node, visit).
template <class Nodes>
class PlaneSearch {
 public:
  /// One pass over the couplings, on threads.
  PlaneSearch(const Nodes& nodes, int threads)
      : nodes_(nodes),
        ranges_(count_ranges(nodes.size(), threads)),
        bins_(std::clamp<std::size_t>(std::bit_ceil(nodes.size() / 4), 32, 512)) {
    find_ends();
    std::vector<std::vector<Count>> counts(ranges_);
    for_ranges(nodes_.size(), ranges_, [&](std::size_t range, std::size_t first, std::size_t last) {
      counts[range].assign(ways * bins_ + ways, {});
      for (std::size_t k = first; k < last; ++k) count(nodes_[k], counts[range]);
    });
    counts_ = std::move(counts.front());
    for (std::size_t range = 1; range < ranges_; ++range)
      for (std::size_t k = 0; k < counts_.size(); ++k) {
        counts_[k].inside += counts[range][k].inside;
        counts_[k].crossing += counts[range][k].crossing;
      }
  }

  /// `least_part`: of the rows on either side. The plane has a cost that is not finite if nothing tells rows apart.
  [[nodiscard]] CuttingPlane best(double least_part) const {
    CuttingPlane plane{directions[0], least_[0], most_[0]};
    for (std::size_t d = 0; d < ways; ++d) choose(d, least_part, plane);
    return plane;
  }

 private:
  static constexpr std::array<Vec3, 9> directions{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}}};
  static constexpr std::size_t ways = directions.size();
  using Along = std::array<double, ways>;  ///< [m] along the directions
  static Along along(const Vec3& p) {
    return {p[0], p[1], p[2], p[0] + p[1], p[0] - p[1], p[0] + p[2], p[0] - p[2], p[1] + p[2], p[1] - p[2]};
  }

  /// Of a bin along a direction: its rows, and by how many more rows its lower end is crossed than that of the bin
  /// before.
  struct Count {
    std::int32_t inside = 0, crossing = 0;
  };

  static void widen(const Along& by, Along& least, Along& most) {
    for (std::size_t d = 0; d < ways; ++d) {
      least[d] = std::min(least[d], by[d]);
      most[d] = std::max(most[d], by[d]);
    }
  }

  void find_ends() {
    std::vector<std::pair<Along, Along>> ends(ranges_);
    for_ranges(nodes_.size(), ranges_, [&](std::size_t range, std::size_t first, std::size_t last) {
      Along least = along(nodes_.place(nodes_[first])), most = least;
      for (std::size_t k = first + 1; k < last; ++k) widen(along(nodes_.place(nodes_[k])), least, most);
      ends[range] = {least, most};
    });
    std::tie(least_, most_) = ends.front();
    for (const auto& [least, most] : ends) {
      widen(least, least_, most_);
      widen(most, least_, most_);
    }
    for (std::size_t d = 0; d < ways; ++d) {
      const double width = (most_[d] - least_[d]) / static_cast<double>(bins_);
      per_metre_[d] = width > 0 ? 1 / width : 0;
    }
  }

  [[nodiscard]] std::size_t bin_of(std::size_t d, double place) const {
    return std::min(bins_ - 1, static_cast<std::size_t>((place - least_[d]) * per_metre_[d]));
  }

  void count(std::int32_t node, std::vector<Count>& counts) const {
    const Along here = along(nodes_.place(node));
    Along far = here;
    nodes_.for_neighbours(node, [&](std::int32_t other) {
      const Along there = along(nodes_.place(other));
      for (std::size_t d = 0; d < ways; ++d) far[d] = std::max(far[d], there[d]);
    });
    const std::int32_t weight = nodes_.weight(node);
    for (std::size_t d = 0; d < ways; ++d) {
      Count* const bins = counts.data() + d * (bins_ + 1);
      const std::size_t bin = bin_of(d, here[d]);
      bins[bin].inside += weight;
      bins[bin + 1].crossing += weight;
      bins[bin_of(d, far[d]) + 1].crossing -= weight;
    }
  }

  /// Replaces `plane` by a better one across direction d.
  void choose(std::size_t d, double least_part, CuttingPlane& plane) const {
    constexpr double widest = 0.2, layers = 1.5;  // of the band on either side
    constexpr double even = 0.05, pays = 1.1;     // parts of unlike size have to save a tenth
    if (per_metre_[d] == 0) return;
    const double uneven = least_part > 0.3 ? pays : 1;
    const Count* const bins = counts_.data() + d * (bins_ + 1);
    double rows = 0;
    for (std::size_t b = 0; b < bins_; ++b) rows += bins[b].inside;
    double below = 0, here = 0, of_best = 0, below_best = 0;
    std::size_t place = 0;
    for (std::size_t b = 1; b < bins_; ++b) {
      below += bins[b - 1].inside;
      here += bins[b].crossing;
      const double part = below / rows;
      if (part < least_part || part > 1 - least_part) continue;
      const double off = std::abs(part - 0.5);
      const double cost = here * (1 + 4 * off * off) * (off > even ? uneven : 1);
      if (cost >= plane.cost) continue;
      plane.cost = cost;
      of_best = here;
      below_best = below;
      place = b;
    }
    if (place == 0) return;
    const double half = std::min({widest * rows, layers * of_best, (0.65 - least_part) * rows});
    std::size_t low = place, high = place;
    for (double left = below_best - bins[place - 1].inside; low > 1 && below_best - left <= half; --low)
      left -= bins[low - 2].inside;
    for (double right = below_best + bins[place].inside; high + 1 < bins_ && right - below_best <= half; ++high)
      right += bins[high + 1].inside;
    plane.direction = directions[d];
    plane.low = least_[d] + static_cast<double>(low) / per_metre_[d];
    plane.high = least_[d] + static_cast<double>(high) / per_metre_[d];
  }

  const Nodes& nodes_;
  std::size_t ranges_, bins_;
  Along least_{}, most_{}, per_metre_{};  ///< [m], [m], bins per metre
  std::vector<Count> counts_;             ///< of bins_ + 1 bins of each direction
};

}  // namespace tetrawave::fem
