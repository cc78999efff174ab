#include "fem/clusters/skeletons.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "fem/clusters/cluster_pairs.hpp"

namespace tetrawave::fem {

namespace {

using Complex = std::complex<double>;
using RowMajor = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<RowMajor, 0, Eigen::OuterStride<>>;
using ConstRows = Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>;

/// Spread evenly over a sphere, along a spiral.
std::vector<Vec3> points_of_sphere(const Vec3& middle, double radius, std::int64_t count) {
  const double turn = pi * (1 + std::sqrt(5.0));
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < count; ++i) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
    const double across = std::sqrt(1 - z * z), phi = turn * (static_cast<double>(i) + 0.5);
    points.push_back(middle + radius * Vec3{across * std::cos(phi), across * std::sin(phi), z});
  }
  return points;
}

}  // namespace

ColumnSubset choose_columns(const Eigen::MatrixXcd& matrix, double tolerance) {
  const Eigen::Index columns = matrix.cols(), most = std::min(matrix.rows(), columns);
  ColumnSubset result;
  Eigen::MatrixXcd units(matrix.rows(), most),
      parts(columns, most);  // parts: of each column along each unit, conjugate
  Eigen::VectorXd squares = matrix.colwise().squaredNorm();
  double exact = columns > 0 ? squares.maxCoeff() : 0;  // of squares that were last found from columns
  const double limit = tolerance * tolerance * exact;
  for (Eigen::Index rank = 0; rank < most; ++rank) {
    constexpr double digits = 1e-10;  // that differences of squares may lose
    if (squares.maxCoeff() < digits * exact) {
      squares = (matrix - units.leftCols(rank) * parts.leftCols(rank).adjoint()).colwise().squaredNorm();
      for (const std::int64_t kept : result.kept) squares[kept] = 0;
      exact = squares.maxCoeff();
    }
    Eigen::Index longest = 0;
    if (!(squares.maxCoeff(&longest) > limit)) break;
    Eigen::VectorXcd unit = matrix.col(longest);
    for (int pass = 0; pass < 2; ++pass)  // once leaves rounding errors
      unit -= units.leftCols(rank) * (units.leftCols(rank).adjoint() * unit);
    units.col(rank) = unit / unit.norm();
    parts.col(rank).noalias() = matrix.adjoint() * units.col(rank);
    squares -= parts.col(rank).cwiseAbs2();
    squares[longest] = 0;
    result.kept.push_back(longest);
  }
  const auto rank = static_cast<Eigen::Index>(result.kept.size());
  Eigen::MatrixXcd own(rank, rank);
  for (Eigen::Index k = 0; k < rank; ++k)
    own.col(k) = parts.row(result.kept[static_cast<std::size_t>(k)]).head(rank).adjoint();
  result.weights = own.triangularView<Eigen::Upper>().solve(parts.leftCols(rank).adjoint());
  return result;
}

std::int64_t Skeletons::proxies(std::int64_t candidates, double radius, double tolerance) {
  const double degree = radius + std::log(1 / tolerance) / std::log(reach_of_clusters);  // of multipoles that are left
  return std::min(candidates + 20, static_cast<std::int64_t>((degree + 1) * (degree + 1)) + 1);
}

Skeletons::Skeletons(const ClusterTree& tree, std::vector<bool> wanted, double tolerance, int threads)
    : tree_(tree), wanted_(std::move(wanted)), threads_(threads) {
  const auto& clusters = tree.clusters();
  kept_.resize(clusters.size());
  weights_.resize(clusters.size());
  const auto choose = [&](std::size_t k) {
    if (!wanted_[k]) return;
    const std::vector<std::int64_t> from = candidates(k);
    const Cluster& cluster = clusters[k];
    const auto count = static_cast<std::int64_t>(from.size());
    const std::vector<Vec3> sphere =
        points_of_sphere(cluster.middle, reach_of_clusters * cluster.radius, proxies(count, cluster.radius, tolerance));
    Eigen::MatrixXcd waves(static_cast<Eigen::Index>(sphere.size()), count);
    for (Eigen::Index c = 0; c < count; ++c)
      for (Eigen::Index p = 0; p < waves.rows(); ++p) {
        const double rho = norm(sphere[static_cast<std::size_t>(p)] -
                                tree.places()[static_cast<std::size_t>(from[static_cast<std::size_t>(c)])]);
        waves(p, c) = cluster.radius > 0 ? Complex(std::cos(rho) / rho, -std::sin(rho) / rho) : Complex(1);
      }
    ColumnSubset subset = choose_columns(waves, tolerance);
    for (const std::int64_t c : subset.kept) kept_[k].push_back(from[static_cast<std::size_t>(c)]);
    weights_[k] = std::move(subset.weights);
  };
  for (std::size_t level = tree.levels().size(); level-- > 1;) {
    const std::size_t begin = tree.levels()[level - 1];
    for_each_task(tree.levels()[level] - begin, threads, [&](std::size_t i) { choose(begin + i); });
  }
  first_.push_back(0);
  for (const auto& kept : kept_) {
    points_.insert(points_.end(), kept.begin(), kept.end());
    first_.push_back(static_cast<std::int64_t>(points_.size()));
  }
}

std::vector<std::int64_t> Skeletons::candidates(std::size_t cluster) const {
  const Cluster& one = tree_.clusters()[cluster];
  std::vector<std::int64_t> result;
  if (one.children == 0)
    for (std::int64_t p = 0; p < one.count; ++p) result.push_back(one.first + p);
  for (std::int32_t k = 0; k < one.children; ++k) {
    const auto& kept = kept_[static_cast<std::size_t>(one.first_child + k)];
    result.insert(result.end(), kept.begin(), kept.end());
  }
  return result;
}

std::int64_t Skeletons::bytes() const {
  std::int64_t numbers = 0;
  for (const auto& weights : weights_) numbers += weights.size();
  return numbers * static_cast<std::int64_t>(sizeof(Complex));
}

void Skeletons::gather(const Complex* of_points, Complex* of_skeletons, std::int64_t width, std::int64_t stride) const {
  for (std::size_t level = tree_.levels().size(); level-- > 1;) {
    const std::size_t begin = tree_.levels()[level - 1];
    for_each_task(tree_.levels()[level] - begin, threads_, [&](std::size_t i) {
      const std::size_t k = begin + i;
      if (!wanted_[k]) return;
      const Cluster& cluster = tree_.clusters()[k];
      const Complex* from = cluster.children == 0
                                ? of_points + cluster.first * stride
                                : of_skeletons + first_[static_cast<std::size_t>(cluster.first_child)] * stride;
      Rows(of_skeletons + first_[k] * stride, rank(k), width, Eigen::OuterStride<>(stride)).noalias() =
          weights_[k] * ConstRows(from, weights_[k].cols(), width, Eigen::OuterStride<>(stride));
    });
  }
}

void Skeletons::spread(Complex* of_skeletons, Complex* of_points, std::int64_t width) const {
  for (std::size_t level = 1; level < tree_.levels().size(); ++level) {
    const std::size_t begin = tree_.levels()[level - 1];
    for_each_task(tree_.levels()[level] - begin, threads_, [&](std::size_t i) {
      const std::size_t k = begin + i;
      if (!wanted_[k]) return;
      const Cluster& cluster = tree_.clusters()[k];
      Complex* to = cluster.children == 0
                        ? of_points + cluster.first * width
                        : of_skeletons + first_[static_cast<std::size_t>(cluster.first_child)] * width;
      Rows(to, weights_[k].cols(), width, Eigen::OuterStride<>(width)).noalias() +=
          weights_[k].transpose() *
          ConstRows(of_skeletons + first_[k] * width, rank(k), width, Eigen::OuterStride<>(width));
    });
  }
}

}  // namespace tetrawave::fem
