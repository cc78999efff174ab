// Sums over pairs of points by clusters, against sums over all pairs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "catch.hpp"
#include "host/cluster_sums.hpp"
#include "host/pair_sums.hpp"
#include "kernels/pairs/green.hpp"

using namespace tetrawave;

namespace {

using Kernel = kernels::BoundaryRadiation<double, 1>;

/// Points with tangents on a sphere a tenth of a wavelength outside of sources on one of radius `size`, times k.
class Shells {
 public:
  Shells(double size, std::size_t points_count, std::size_t sources_count) : size_(size), count_(sources_count) {
    for (std::size_t p = 0; p < points_count; ++p) {
      const Vec3 normal = unit();
      Vec3 across = unit();
      across = across - dot(across, normal) * normal;
      const Vec3 first = (1 / norm(across)) * across, second = cross(normal, first), place = (size + 0.63) * normal;
      for (const Vec3* part : {&place, &first, &second}) points.insert(points.end(), part->begin(), part->end());
    }
    for (std::size_t s = 0; s < sources_count; ++s) places_.push_back(size * unit());
  }

  /// Currents that vary as a wave does, and noise, which is what iterations ask for in turn.
  [[nodiscard]] std::vector<double> sources(int sets) {
    std::vector<double> numbers;
    for (const Vec3& place : places_) {
      numbers.insert(numbers.end(), place.begin(), place.end());
      for (int set = 0; set < sets; ++set)
        for (int i = 0; i < 12; ++i)
          numbers.push_back(set % 2 == 0 ? std::cos(place[2] + i + 0.3 * set) : normal_(engine_));
    }
    return numbers;
  }

  std::vector<double> points;

 private:
  Vec3 unit() {
    const Vec3 way{normal_(engine_), normal_(engine_), normal_(engine_)};
    return (1 / norm(way)) * way;
  }

  double size_;
  std::size_t count_;
  std::vector<Vec3> places_;
  std::mt19937_64 engine_{5};
  std::normal_distribution<double> normal_;
};

std::unique_ptr<kernels::PairSums> by_clusters(double tolerance, double sums, int threads = 1,
                                               host::Isa isa = host::best_isa()) {
  return host::make_cluster_sums({tolerance, sums}, threads, host::make_pair_sums(threads, isa), isa);
}

/// Largest over the sets, root mean squares.
double difference(const std::vector<double>& found, const std::vector<double>& wanted, int sets) {
  double worst = 0;
  for (int set = 0; set < sets; ++set) {
    double off = 0, size = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (static_cast<int>(i / 4) % sets != set) continue;
      off += std::pow(found[i] - wanted[i], 2);
      size += std::pow(wanted[i], 2);
    }
    worst = std::max(worst, std::sqrt(off / size));
  }
  return worst;
}

}  // namespace

TEST_CASE("sums by clusters are those over all pairs within their tolerance, with currents of waves and of noise") {
  for (const double size : {1.0, 5.0, 10.0}) {
    Shells shells(size, 3000, 6000);
    const auto all = host::make_pair_sums(2);
    all->set_points(shells.points, {});
    for (const int sets : {1, 2, 5}) {
      const std::vector<double> sources = shells.sources(sets);
      const std::vector<double> wanted = all->sum(sources, sets, Precision::double_precision);
      for (const double tolerance : {1e-2, 1e-4, 1e-7}) {
        const auto sums = by_clusters(tolerance, 0, 2);
        sums->set_points(shells.points, {});
        const double error = difference(sums->sum(sources, sets, Precision::double_precision), wanted, sets);
        const kernels::ClusterReport report = sums->clusters();
        CAPTURE(size, sets, tolerance, error, report.error, report.pairs_of_sum);
        CHECK(report.used);
        CHECK(error < 2 * tolerance);
        CHECK(report.error <= tolerance);
        CHECK(error > 1e-3 * tolerance);    // it was not all pairs
        CHECK(report.error > 0.1 * error);  // what is said of 16 points is that of all
        CHECK(report.error < 10 * error);
        CHECK(report.bytes > 0);
        if (size > 2 && tolerance > 1e-5) CHECK(report.pairs_of_sum < 0.6 * 3000 * 6000);
      }
    }
  }
}

TEST_CASE("sums by clusters are the same on any number of threads, and right on every instruction set") {
  Shells shells(8, 1500, 3000);
  const std::vector<double> sources = shells.sources(3);
  const auto run = [&](int threads, host::Isa isa) {
    const auto sums = by_clusters(1e-5, 0, threads, isa);
    sums->set_points(shells.points, {});
    (void)sums->sum(sources, 3, Precision::double_precision);
    return sums->sum(sources, 3, Precision::double_precision);  // with the skeletons of the first
  };
  const auto wanted = run(1, host::best_isa());
  for (const int threads : {2, 3, 16}) CHECK(run(threads, host::best_isa()) == wanted);
  for (const host::Isa isa : host::usable_isas()) CHECK(difference(run(1, isa), wanted, 3) < 1e-11);
}

TEST_CASE("new places of points or of sources get new clusters") {
  Shells first(6, 1200, 2500), second(7, 900, 2600);
  const auto sums = by_clusters(1e-5, 0);
  const auto check = [&](Shells& points, Shells& sources) {
    sums->set_points(points.points, {});
    const std::vector<double> numbers = sources.sources(1);
    const auto all = host::make_pair_sums(1);
    all->set_points(points.points, {});
    CHECK(difference(sums->sum(numbers, 1, Precision::double_precision),
                     all->sum(numbers, 1, Precision::double_precision), 1) < 2e-5);
  };
  check(first, first);
  check(second, first);
  check(second, second);
  sums->set_points({}, {});
  CHECK(sums->sum(first.sources(1), 1, Precision::double_precision).empty());
}

TEST_CASE("clusters are used where they are expected to pay, else all pairs bit by bit") {
  for (const bool large : {false, true}) {
    Shells shells(12, large ? 6000 : 500, large ? 20000 : 900);
    const std::vector<double> sources = shells.sources(1);
    const auto sums = by_clusters(1e-4, 10, 2);
    sums->set_points(shells.points, {});
    const auto found = sums->sum(sources, 1, Precision::double_precision);
    CHECK(sums->clusters().used == large);
    const auto all = host::make_pair_sums(2);
    all->set_points(shells.points, {});
    const auto wanted = all->sum(sources, 1, Precision::double_precision);
    CHECK((found == wanted) != large);
    CHECK(difference(found, wanted, 1) < 2e-4);
  }
}
