// Sums over pairs of points on the GPU against those of the CPU. Without a GPU every case says so and ends.
#include "cuda/pairs/pair_sums.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "catch.hpp"
#include "cuda/launch/engine.hpp"
#include "gpu/gpu_is_here.hpp"
#include "host/pair_sums.hpp"
#include "kernels/pairs/green.hpp"
#include "support/shared_sums.hpp"

using namespace tetrawave;
using tetrawave_tests::gpu_is_here;

namespace {

class PairNumbers {
 public:
  /// k r about `away` from the sources, two tangents.
  std::vector<double> points(std::size_t count, double away) {
    std::vector<double> numbers;
    for (std::size_t p = 0; p < count; ++p) {
      const Vec3 normal = unit(), other = unit();
      const Vec3 across = other - dot(other, normal) * normal;
      const Vec3 first = (1 / norm(across)) * across, second = cross(normal, first), place = away * normal;
      for (const Vec3* part : {&place, &first, &second}) numbers.insert(numbers.end(), part->begin(), part->end());
    }
    return numbers;
  }
  std::vector<double> sources(std::size_t count, int sets) {
    std::vector<double> numbers;
    for (std::size_t s = 0; s < count; ++s) {
      const Vec3 place = unit();
      numbers.insert(numbers.end(), place.begin(), place.end());
      for (int i = 0; i < 12 * sets; ++i) numbers.push_back(normal_(engine_));
    }
    return numbers;
  }

 private:
  Vec3 unit() {
    const Vec3 way{normal_(engine_), normal_(engine_), normal_(engine_)};
    return (1 / norm(way)) * way;
  }
  std::mt19937_64 engine_{3};
  std::normal_distribution<double> normal_;
};

/// Largest difference over the largest number.
double difference(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    worst = std::max(worst, std::isfinite(found[i]) ? std::abs(found[i] - expected[i]) : INFINITY);
  }
  return largest > 0 ? worst / largest : worst;
}

void compare_sums(const std::vector<std::size_t>& points, const std::vector<std::size_t>& counts,
                  const std::vector<int>& several_sets) {
  PairNumbers numbers;
  const auto host = host::make_pair_sums(2), gpu = cuda::make_pair_sums(0, 2);
  for (const double away : {2.0, 300.0})
    for (const std::size_t point_count : points) {
      const std::vector<double> places = numbers.points(point_count, away);
      for (auto* sums : {host.get(), gpu.get()}) sums->set_points(places, {});
      for (const std::size_t count : counts)
        for (const int sets : several_sets) {
          INFO(point_count << " points, " << count << " sources, " << sets << " sets, " << away);
          const std::vector<double> sources = numbers.sources(count, sets);
          const std::vector<double> expected = host->sum(sources, sets, Precision::double_precision);
          const std::vector<double> found = gpu->sum(sources, sets, Precision::double_precision);
          CHECK(difference(found, expected) < 2e-14 + 1e-15 * away * away);
          CHECK(gpu->sum(sources, sets, Precision::double_precision) == found);
          CHECK(difference(gpu->sum(sources, sets, Precision::single_precision), expected) < 2e-6 + 3e-7 * away * away);
        }
    }
}

}  // namespace

// On a sphere about its sources Psi is less than E by k r, as their waves go straight out: an error of E, which grows
// with k r as its phase does, weighs k r times as much in Psi: eps (k r)^2, here with a factor of five to nine.
TEST_CASE("few sums over pairs on the GPU are those of the CPU", "[cuda][tiny]") {
  if (!gpu_is_here()) return;
  compare_sums({1, 129}, {1, 65}, {1, 3, 11});
}

TEST_CASE("sums over pairs on the GPU are those of the CPU for any number of points, sources and right-hand sides",
          "[cuda]") {
  if (!gpu_is_here()) return;
  compare_sums({1, 127, 128, 700}, {1, 63, 64, 65, 1000}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 21, 64});
  PairNumbers numbers;
  const auto host = host::make_pair_sums(2), gpu = cuda::make_pair_sums(0, 2);
  for (auto* sums : {host.get(), gpu.get()}) {
    sums->set_points(numbers.points(700, 2), {});
    CHECK(sums->sum({}, 2, Precision::double_precision) == std::vector<double>(5600));
  }
  for (auto* sums : {host.get(), gpu.get()}) sums->set_points({}, {});
  for (auto* sums : {host.get(), gpu.get()})
    CHECK(sums->sum(numbers.sources(5, 1), 1, Precision::double_precision).empty());
}

TEST_CASE("the paper's mapping of sums over pairs gives those of the CPU with any thread block", "[cuda][tiny]") {
  if (!gpu_is_here()) return;
  PairNumbers numbers;
  const kernels::PointsOfFaces faces{6, 12};
  const std::vector<double> places = numbers.points(6 * 90, 3);
  const auto host = host::make_pair_sums(2);
  host->set_points(places, faces);
  for (const int sets : {1, 3, 10, 45}) {
    const std::vector<double> sources = numbers.sources(12 * 7, sets);
    const std::vector<double> expected = host->sum(sources, sets, Precision::double_precision);
    for (const bool shared : {true, false})
      for (int threads = 4; threads <= 128; threads *= 2) {
        const auto gpu = cuda::make_pair_sums(0, 2, {true, threads, shared});
        gpu->set_points(places, faces);
        CHECK(difference(gpu->sum(sources, sets, Precision::double_precision), expected) < 2e-14);
      }
  }
}

TEST_CASE("sums over pairs on GPUs of several ranks stay on the first one's, and are those of the CPU",
          "[cuda][ranks]") {
  if (!gpu_is_here()) return;
  const int device = cuda::device_of(comm::Communicator::world());
  tetrawave_tests::compare_shared_sums(cuda::make_pair_sums(device, 2), *host::make_pair_sums(2), 2e-13);
}
