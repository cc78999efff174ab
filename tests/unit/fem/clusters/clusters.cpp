// Clusters of points, the pairs that they make, and their skeletons.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "catch.hpp"
#include "fem/clusters/cluster_pairs.hpp"
#include "fem/clusters/skeletons.hpp"

using namespace tetrawave;

namespace {

using Complex = std::complex<double>;

class RandomPoints {
 public:
  double number() { return normal_(engine_); }
  std::vector<Vec3> on_sphere(std::size_t count, double radius) {
    std::vector<Vec3> points;
    while (points.size() < count) {
      const Vec3 way{number(), number(), number()};
      points.push_back((radius / norm(way)) * way);
    }
    return points;
  }

 private:
  std::mt19937_64 engine_{3};
  std::normal_distribution<double> normal_;
};

Complex wave(const Vec3& a, const Vec3& b) {
  const double rho = norm(a - b);
  return std::exp(Complex(0, -rho)) / rho;
}

}  // namespace

TEST_CASE("the leaves of a cluster tree hold every point once, within their spheres") {
  RandomPoints random;
  auto points = random.on_sphere(3000, 7);
  for (int i = 0; i < 100; ++i) points.push_back({1, 2, 3});  // more at one place than a leaf has
  const fem::ClusterTree tree(points, 40);
  std::vector<std::int64_t> order = tree.order();
  for (std::size_t p = 0; p < points.size(); ++p) CHECK(tree.places()[p] == points[static_cast<std::size_t>(order[p])]);
  std::sort(order.begin(), order.end());
  for (std::size_t p = 0; p < points.size(); ++p) REQUIRE(order[p] == static_cast<std::int64_t>(p));
  std::int64_t next = 0, in_leaves = 0;
  const auto& clusters = tree.clusters();
  REQUIRE(tree.levels().back() == clusters.size());
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    const fem::Cluster& one = clusters[k];
    for (std::int64_t p = one.first; p < one.first + one.count; ++p)
      CHECK(norm(tree.places()[static_cast<std::size_t>(p)] - one.middle) <= one.radius * (1 + 1e-12));
    if (one.children == 0) in_leaves += one.count;
    if (one.children == 0) CHECK((one.count <= 40 || one.radius == 0));
    next = one.first;
    for (std::int32_t c = 0; c < one.children; ++c) {
      const fem::Cluster& child = clusters[static_cast<std::size_t>(one.first_child + c)];
      CHECK(child.parent == static_cast<std::int32_t>(k));
      CHECK(child.first == next);
      next += child.count;
    }
    if (one.children > 0) CHECK(next == one.first + one.count);
  }
  CHECK(in_leaves == static_cast<std::int64_t>(points.size()));
  CHECK(fem::ClusterTree({}, 40).clusters().empty());
}

TEST_CASE("pairs of clusters, far and near, hold every pair of points once") {
  RandomPoints random;
  const fem::ClusterTree targets(random.on_sphere(500, 8), 8), sources(random.on_sphere(900, 7), 16);
  const fem::ClusterPairs pairs = fem::pair_up(targets, sources);
  std::vector<int> met(500 * 900);
  std::size_t far = 0;
  for (std::size_t t = 0; t < targets.clusters().size(); ++t)
    for (const auto* list : {&pairs.far, &pairs.near})
      for (const std::int32_t s : (*list)[t]) {
        const fem::Cluster &a = targets.clusters()[t], &b = sources.clusters()[static_cast<std::size_t>(s)];
        if (list == &pairs.far) far += static_cast<std::size_t>(a.count * b.count);
        for (std::int64_t p = a.first; p < a.first + a.count; ++p)
          for (std::int64_t q = b.first; q < b.first + b.count; ++q) {
            ++met[static_cast<std::size_t>(p * 900 + q)];
            if (list == &pairs.far)  // outside of both spheres
              CHECK(std::min(norm(targets.places()[static_cast<std::size_t>(p)] - b.middle) / b.radius,
                             norm(sources.places()[static_cast<std::size_t>(q)] - a.middle) / a.radius) >= 2);
          }
      }
  CHECK(std::all_of(met.begin(), met.end(), [](int count) { return count == 1; }));
  CHECK(far > met.size() / 2);
}

TEST_CASE("chosen columns stand for all others within the tolerance, and are as few as the rank") {
  RandomPoints random;
  const auto filled = [&](Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXcd matrix(rows, columns);
    for (Eigen::Index c = 0; c < columns; ++c)
      for (Eigen::Index r = 0; r < rows; ++r) matrix(r, c) = {random.number(), random.number()};
    return matrix;
  };
  const Eigen::MatrixXcd matrix = filled(40, 7) * filled(7, 60) + 1e-6 * filled(40, 60);
  const fem::ColumnSubset subset = fem::choose_columns(matrix, 1e-4);
  CHECK(subset.kept.size() == 7);
  Eigen::MatrixXcd kept(40, 7);
  for (Eigen::Index k = 0; k < 7; ++k) kept.col(k) = matrix.col(subset.kept[static_cast<std::size_t>(k)]);
  CHECK((kept * subset.weights - matrix).colwise().norm().maxCoeff() < 1e-4 * matrix.colwise().norm().maxCoeff());
  CHECK(fem::choose_columns(Eigen::MatrixXcd::Zero(5, 3), 1e-4).kept.empty());
  CHECK(fem::choose_columns(filled(9, 5), 1e-12).kept.size() == 5);
}

TEST_CASE("skeletons radiate as all points of their clusters do, and receive as they do, outside of their spheres") {
  RandomPoints random;
  const fem::ClusterTree tree(random.on_sphere(4000, 6), 60);
  const auto& clusters = tree.clusters();
  std::vector<bool> wanted(clusters.size());
  for (std::size_t k = 1; k < clusters.size(); ++k) wanted[k] = true;
  double error_before = 1;
  for (const double tolerance : {1e-3, 1e-6}) {
    const fem::Skeletons skeletons(tree, wanted, tolerance, 2);
    std::vector<Complex> charges(tree.places().size()), gathered(skeletons.points().size());
    for (Complex& charge : charges) charge = {random.number(), random.number()};
    skeletons.gather(charges.data(), gathered.data(), 1, 1);
    double worst = 0;
    for (std::size_t k = 1; k < clusters.size(); ++k) {
      const fem::Cluster& one = clusters[k];
      CHECK(skeletons.rank(k) <= one.count);
      for (const Vec3& way : random.on_sphere(5, 1))
        for (const double away : {2.0, 4.0}) {
          const Vec3 at = one.middle + (away * one.radius) * way;
          Complex exact = 0, found = 0;
          double size = 0;
          for (std::int64_t p = one.first; p < one.first + one.count; ++p) {
            const Complex term =
                charges[static_cast<std::size_t>(p)] * wave(at, tree.places()[static_cast<std::size_t>(p)]);
            exact += term;
            size += std::norm(term);
          }
          for (std::int64_t i = skeletons.first()[k]; i < skeletons.first()[k + 1]; ++i)
            found += gathered[static_cast<std::size_t>(i)] *
                     wave(at, tree.places()[static_cast<std::size_t>(skeletons.points()[static_cast<std::size_t>(i)])]);
          worst = std::max(worst, std::abs(found - exact) / std::sqrt(size));
        }
    }
    CAPTURE(tolerance, worst);
    CHECK(worst < 10 * tolerance);
    CHECK(worst < 0.1 * error_before);
    error_before = worst;
    // The same, transposed: sum over points of charge times received wave.
    std::vector<Complex> waves(skeletons.points().size()), received(tree.places().size());
    const Vec3 source{60, 20, -30};  // far from all
    for (std::size_t k = 1; k < clusters.size(); ++k)
      if (clusters[k].parent == 0)
        for (std::int64_t i = skeletons.first()[k]; i < skeletons.first()[k + 1]; ++i)
          waves[static_cast<std::size_t>(i)] =
              wave(source, tree.places()[static_cast<std::size_t>(skeletons.points()[static_cast<std::size_t>(i)])]);
    skeletons.spread(waves.data(), received.data(), 1);
    double off = 0, size = 0;
    for (std::size_t p = 0; p < received.size(); ++p) {
      off += std::norm(received[p] - wave(source, tree.places()[p]));
      size += std::norm(received[p]);
    }
    CHECK(std::sqrt(off / size) < 5 * tolerance);
  }
}

TEST_CASE("work and memory by clusters are forecast to a factor of two") {
  RandomPoints random;
  constexpr double size = 10;
  const auto count = [](double radius, double density) {
    return static_cast<std::size_t>(density * radius * radius / 3.14159);
  };
  const fem::ClusterTree targets(random.on_sphere(count(size + 0.6, 545), size + 0.6), fem::points_of_target_leaf);
  const fem::ClusterTree sources(random.on_sphere(count(size, 545), size), fem::points_of_source_leaf);
  const fem::ClusterPairs pairs = fem::pair_up(targets, sources);
  for (const double tolerance : {1e-3, 1e-5}) {
    const fem::PairForecast forecast = fem::forecast(targets, sources, pairs, tolerance);
    const fem::Skeletons of_targets(targets, fem::far_targets(targets, pairs), tolerance, 2);
    const fem::Skeletons of_sources(sources, fem::far_sources(sources, pairs), tolerance, 2);
    double found = 0;
    for (std::size_t t = 0; t < pairs.far.size(); ++t) {
      for (const std::int32_t s : pairs.far[t])
        found += static_cast<double>(of_targets.rank(t) * of_sources.rank(static_cast<std::size_t>(s)));
      for (const std::int32_t s : pairs.near[t])
        found +=
            static_cast<double>(targets.clusters()[t].count * sources.clusters()[static_cast<std::size_t>(s)].count);
    }
    const double bytes = static_cast<double>(of_targets.bytes() + of_sources.bytes());
    CAPTURE(tolerance, forecast.all, forecast.clusters, found, forecast.bytes, bytes);
    CHECK(std::abs(std::log2(forecast.clusters / found)) < 1);
    CHECK(std::abs(std::log2(static_cast<double>(forecast.bytes) / bytes)) < 1);
  }
}
