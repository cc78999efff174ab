// A few points of each cluster that stand for all of them (theory/fe-iiee#sums-by-clusters).
#pragma once

#include <Eigen/Dense>
#include <complex>
#include <cstdint>
#include <vector>

#include "fem/clusters/cluster_tree.hpp"

namespace tetrawave::fem {

/// Interpolative decomposition (H. Cheng, Z. Gimbutas, P. G. Martinsson, V. Rokhlin, SIAM J. Sci. Comput. 26 (2005)
/// 1389): matrix = matrix(:, kept) weights, but for columns less than the tolerance times the longest one.
struct ColumnSubset {
  std::vector<std::int64_t> kept;
  Eigen::MatrixXcd weights;  ///< kept x columns
};
[[nodiscard]] ColumnSubset choose_columns(const Eigen::MatrixXcd& matrix, double tolerance);

/// Nested: of a leaf chosen from its points, of other clusters from the skeletons of their children, such that
/// exp(-j rho)/rho of every point is that of the skeleton, with weights, outside of a sphere about the cluster
/// (P. G. Martinsson, V. Rokhlin, SIAM J. Sci. Comput. 29 (2007) 1160). As it is symmetric, waves from there at every
/// point are those at the skeleton's with the same weights. Lengths are times k. The same for any number of threads.
class Skeletons {
 public:
  using Complex = std::complex<double>;

  /// Of the clusters that are `wanted`, with which all of their children are.
  Skeletons(const ClusterTree& tree, std::vector<bool> wanted, double tolerance, int threads);

  /// Points of all skeletons, cluster by cluster, as numbers in the tree's order.
  [[nodiscard]] const std::vector<std::int64_t>& points() const { return points_; }
  /// Where in these the skeleton of a cluster begins; at the end, their number.
  [[nodiscard]] const std::vector<std::int64_t>& first() const { return first_; }
  [[nodiscard]] std::int64_t rank(std::size_t cluster) const { return first_[cluster + 1] - first_[cluster]; }
  [[nodiscard]] std::int64_t bytes() const;

  /// What sources at points, in the tree's order, are at all skeletons: `width` numbers of each, rows `stride` apart in
  /// both.
  void gather(const Complex* of_points, Complex* of_skeletons, std::int64_t width, std::int64_t stride) const;
  /// Adds values at skeletons to those at their children's, and at leaves to those at points, rows `width` apart.
  void spread(Complex* of_skeletons, Complex* of_points, std::int64_t width) const;

  /// Points on the sphere that skeletons are chosen by.
  [[nodiscard]] static std::int64_t proxies(std::int64_t candidates, double radius, double tolerance);

 private:
  [[nodiscard]] std::vector<std::int64_t> candidates(std::size_t cluster) const;

  const ClusterTree& tree_;
  std::vector<bool> wanted_;
  int threads_;
  std::vector<std::vector<std::int64_t>> kept_;  ///< points of each
  std::vector<Eigen::MatrixXcd> weights_;
  std::vector<std::int64_t> points_, first_;
};

}  // namespace tetrawave::fem
