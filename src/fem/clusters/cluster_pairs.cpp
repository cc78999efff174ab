#include "fem/clusters/cluster_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fem/clusters/skeletons.hpp"

namespace tetrawave::fem {

namespace {

bool are_far(const Cluster& a, const Cluster& b) {
  const double distance = norm(a.middle - b.middle);
  return distance >= b.radius + reach_of_clusters * a.radius && distance >= a.radius + reach_of_clusters * b.radius &&
         distance > 0;
}

/// Of the skeletons: what was found for points on surfaces, about 1000 of them to a square wavelength.
std::vector<double> expected_ranks(const ClusterTree& tree, const std::vector<bool>& far, double tolerance,
                                   PairForecast& forecast) {
  const double digits = -std::log10(tolerance);
  const auto& clusters = tree.clusters();
  std::vector<double> ranks(clusters.size()), candidates(clusters.size());
  for (std::size_t k = clusters.size(); k-- > 0;) {
    const Cluster& cluster = clusters[k];
    if (cluster.children == 0) candidates[k] = static_cast<double>(cluster.count);
    const double radius = cluster.radius;  // in waves over 2 pi
    if (far[k]) {
      ranks[k] = std::min(candidates[k], 6 * (digits - 1) + 7 * radius + 0.2 * radius * radius);
      const double rows =
          static_cast<double>(Skeletons::proxies(static_cast<std::int64_t>(candidates[k]), cluster.radius, tolerance));
      constexpr double pairs_of_product = 0.45;  // of the time of a pair: a number times a vector of the factorisation
      forecast.build += rows * candidates[k] * (1 + pairs_of_product * ranks[k]);
      forecast.bytes += static_cast<std::int64_t>(16 * ranks[k] * candidates[k]);
    }
    if (cluster.parent >= 0) candidates[static_cast<std::size_t>(cluster.parent)] += ranks[k];
  }
  return ranks;
}

}  // namespace

ClusterPairs pair_up(const ClusterTree& targets, const ClusterTree& sources) {
  const auto &of_targets = targets.clusters(), &of_sources = sources.clusters();
  ClusterPairs pairs;
  pairs.far.resize(of_targets.size());
  pairs.near.resize(of_targets.size());
  std::vector<std::pair<std::int32_t, std::int32_t>> open;
  if (!of_targets.empty() && !of_sources.empty()) open.emplace_back(0, 0);
  while (!open.empty()) {
    const auto [t, s] = open.back();
    open.pop_back();
    const Cluster &target = of_targets[static_cast<std::size_t>(t)], &source = of_sources[static_cast<std::size_t>(s)];
    if (are_far(target, source)) {
      pairs.far[static_cast<std::size_t>(t)].push_back(s);
    } else if (target.children == 0 && source.children == 0) {
      pairs.near[static_cast<std::size_t>(t)].push_back(s);
    } else if (source.children == 0 || (target.children > 0 && target.radius >= source.radius)) {
      for (std::int32_t k = 0; k < target.children; ++k) open.emplace_back(target.first_child + k, s);
    } else {
      for (std::int32_t k = 0; k < source.children; ++k) open.emplace_back(t, source.first_child + k);
    }
  }
  return pairs;
}

std::vector<bool> which_are_far(const ClusterTree& tree, const std::vector<bool>& listed) {
  std::vector<bool> far = listed;
  for (std::size_t k = 0; k < far.size(); ++k) {
    const std::int32_t parent = tree.clusters()[k].parent;
    if (parent >= 0 && far[static_cast<std::size_t>(parent)]) far[k] = true;
  }
  return far;
}

std::vector<bool> far_targets(const ClusterTree& targets, const ClusterPairs& pairs) {
  std::vector<bool> listed;
  for (const auto& list : pairs.far) listed.push_back(!list.empty());
  return which_are_far(targets, listed);
}

std::vector<bool> far_sources(const ClusterTree& sources, const ClusterPairs& pairs) {
  std::vector<bool> listed(sources.clusters().size());
  for (const auto& list : pairs.far)
    for (const std::int32_t s : list) listed[static_cast<std::size_t>(s)] = true;
  return which_are_far(sources, listed);
}

PairForecast forecast(const ClusterTree& targets, const ClusterTree& sources, const ClusterPairs& pairs,
                      double tolerance) {
  PairForecast result;
  result.all = static_cast<double>(targets.places().size()) * static_cast<double>(sources.places().size());
  const auto ranks_t = expected_ranks(targets, far_targets(targets, pairs), tolerance, result);
  const auto ranks_s = expected_ranks(sources, far_sources(sources, pairs), tolerance, result);
  for (std::size_t t = 0; t < pairs.far.size(); ++t) {
    for (const std::int32_t s : pairs.far[t]) result.clusters += ranks_t[t] * ranks_s[static_cast<std::size_t>(s)];
    for (const std::int32_t s : pairs.near[t])
      result.clusters += static_cast<double>(targets.clusters()[t].count) *
                         static_cast<double>(sources.clusters()[static_cast<std::size_t>(s)].count);
  }
  return result;
}

}  // namespace tetrawave::fem
