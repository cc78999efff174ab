// Which clusters of points see each other from afar (theory/fe-iiee#sums-by-clusters).
#pragma once

#include <cstdint>
#include <vector>

#include "fem/clusters/cluster_tree.hpp"

namespace tetrawave::fem {

/// The waves of a cluster are those of a few of its points outside of a sphere so many of its radii wide.
constexpr double reach_of_clusters = 2;

/// Of leaves, most.
constexpr std::int64_t points_of_target_leaf = 32, points_of_source_leaf = 64;

/// Every pair of a target and a source is in one pair of clusters, far or near; both lists are per cluster of targets.
struct ClusterPairs {
  std::vector<std::vector<std::int32_t>> far;   ///< each outside of the other's sphere
  std::vector<std::vector<std::int32_t>> near;  ///< leaves of leaves
};
[[nodiscard]] ClusterPairs pair_up(const ClusterTree& targets, const ClusterTree& sources);

/// Clusters that see one from afar, or lie in one that does.
[[nodiscard]] std::vector<bool> which_are_far(const ClusterTree& tree, const std::vector<bool>& listed);
[[nodiscard]] std::vector<bool> far_targets(const ClusterTree& targets, const ClusterPairs& pairs);
[[nodiscard]] std::vector<bool> far_sources(const ClusterTree& sources, const ClusterPairs& pairs);

/// What sums over all pairs and sums by clusters take, in pairs of points that are evaluated. From sizes alone.
struct PairForecast {
  double all = 0;       ///< of a sum over all pairs
  double clusters = 0;  ///< of a sum by clusters
  double build = 0;     ///< of finding their skeletons, once
  std::int64_t bytes = 0;

  /// With so many sums, where sums over all pairs are `speed` times as fast.
  [[nodiscard]] bool pays(double sums, double speed) const {
    constexpr double slower = 1.6, least = 1e9;  // in small pieces; five seconds of a core
    return sums * all > speed * least && build + sums * slower * clusters < sums * all / speed;
  }
};
/// Before any trees: clusters take some hundred pairs a point at least.
[[nodiscard]] inline bool may_pay(std::size_t targets, std::size_t sources, double sums, double speed) {
  constexpr double least = 500;
  const auto t = static_cast<double>(targets), s = static_cast<double>(sources);
  return PairForecast{t * s, least * (t + s), 0, 0}.pays(sums, speed);
}
[[nodiscard]] PairForecast forecast(const ClusterTree& targets, const ClusterTree& sources, const ClusterPairs& pairs,
                                    double tolerance);

}  // namespace tetrawave::fem
