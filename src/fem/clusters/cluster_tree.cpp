#include "fem/clusters/cluster_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tetrawave::fem {

ClusterTree::ClusterTree(const std::vector<Vec3>& places, std::int64_t most_of_leaf)
    : order_(places.size()), places_(places) {
  std::iota(order_.begin(), order_.end(), 0);
  if (places.empty()) return;
  clusters_.emplace_back().count = static_cast<std::int64_t>(places.size());
  fit(clusters_.front());
  const double least_radius = 1e-9 * clusters_.front().radius;  // where points are the same but for rounding
  for (levels_ = {0}; levels_.back() < clusters_.size();) {
    const std::size_t end = clusters_.size();
    for (std::size_t k = levels_.back(); k < end; ++k)
      if (clusters_[k].count > most_of_leaf && clusters_[k].radius > least_radius) split(k);
    levels_.push_back(end);
  }
}

void ClusterTree::fit(Cluster& cluster) const {
  Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  const auto* from = places_.data() + cluster.first;
  for (std::int64_t p = 0; p < cluster.count; ++p)
    for (std::size_t x = 0; x < 3; ++x) {
      low[x] = std::min(low[x], from[p][x]);
      high[x] = std::max(high[x], from[p][x]);
    }
  cluster.middle = 0.5 * (low + high);
  for (std::int64_t p = 0; p < cluster.count; ++p)
    cluster.radius = std::max(cluster.radius, norm(from[p] - cluster.middle));
}

/// In four: in halves along the longest side of the box around its points, and each of these likewise.
void ClusterTree::split(std::size_t cluster) {
  const Cluster whole = clusters_[cluster];
  std::vector<std::int64_t> own(static_cast<std::size_t>(whole.count));
  std::iota(own.begin(), own.end(), whole.first);
  const auto halve = [&](std::int64_t begin, std::int64_t end) {
    Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
    for (std::int64_t k = begin; k < end; ++k)
      for (std::size_t x = 0; x < 3; ++x) {
        const double at = places_[static_cast<std::size_t>(own[static_cast<std::size_t>(k)])][x];
        low[x] = std::min(low[x], at);
        high[x] = std::max(high[x], at);
      }
    const Vec3 size = high - low;
    const auto axis = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    const std::int64_t middle = (begin + end) / 2;
    std::nth_element(own.begin() + begin, own.begin() + middle, own.begin() + end, [&](std::int64_t a, std::int64_t b) {
      return places_[static_cast<std::size_t>(a)][axis] < places_[static_cast<std::size_t>(b)][axis];
    });
    return middle;
  };
  const std::int64_t middle = halve(0, whole.count);
  const std::array<std::int64_t, 5> cuts{0, halve(0, middle), middle, halve(middle, whole.count), whole.count};
  std::vector<Vec3> places;
  std::vector<std::int64_t> order;
  for (const std::int64_t p : own) {
    places.push_back(places_[static_cast<std::size_t>(p)]);
    order.push_back(order_[static_cast<std::size_t>(p)]);
  }
  std::copy(places.begin(), places.end(), places_.begin() + whole.first);
  std::copy(order.begin(), order.end(), order_.begin() + whole.first);
  clusters_[cluster].first_child = static_cast<std::int32_t>(clusters_.size());
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    if (cuts[k] == cuts[k + 1]) continue;
    Cluster child;
    child.first = whole.first + cuts[k];
    child.count = cuts[k + 1] - cuts[k];
    child.parent = static_cast<std::int32_t>(cluster);
    fit(child);
    clusters_.push_back(child);
    ++clusters_[cluster].children;
  }
}

}  // namespace tetrawave::fem
