// Points in clusters, and these in clusters of clusters (theory/fe-iiee#sums-by-clusters).
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::fem {

struct Cluster {
  std::int64_t first = 0;  ///< of its points, in the order of the tree
  std::int64_t count = 0;
  std::int32_t parent = -1;
  std::int32_t first_child = 0;
  std::int32_t children = 0;  ///< in a row; 0: a leaf
  Vec3 middle{};
  double radius = 0;  ///< of a sphere about the middle that holds its points
};

/// An octree: a cluster of more than `most_of_leaf` different points is cut in the middle of the box around them.
class ClusterTree {
 public:
  ClusterTree(const std::vector<Vec3>& places, std::int64_t most_of_leaf);

  /// Level by level: parents before their children. The first has all points.
  [[nodiscard]] const std::vector<Cluster>& clusters() const { return clusters_; }
  /// Where the clusters of each level begin; at the end, their number.
  [[nodiscard]] const std::vector<std::size_t>& levels() const { return levels_; }
  /// Number of each point of the tree's order in the given places.
  [[nodiscard]] const std::vector<std::int64_t>& order() const { return order_; }
  /// In the tree's order.
  [[nodiscard]] const std::vector<Vec3>& places() const { return places_; }

 private:
  void fit(Cluster& cluster) const;
  void split(std::size_t cluster);

  std::vector<Cluster> clusters_;
  std::vector<std::size_t> levels_;
  std::vector<std::int64_t> order_;
  std::vector<Vec3> places_;
};

}  // namespace tetrawave::fem
