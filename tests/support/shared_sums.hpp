// Sums over pairs of points shared out over ranks, against those of one rank.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "kernels/pairs/green.hpp"
#include "modes/frequency_domain/shared_pair_sums.hpp"

namespace tetrawave_tests {

inline constexpr std::size_t point_rows = tetrawave::kernels::BoundaryRadiation<double, 1>::point_rows;
inline std::size_t source_size(int sets) {
  return static_cast<std::size_t>(tetrawave::kernels::BoundaryRadiation<double, 1>::source_size(sets));
}

inline std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& x : numbers) x = normal(engine);
  return numbers;
}

/// Of world, each with sums `own`, against `alone`, within `enough` of the largest in double precision; 0: the same
/// bits. Collective.
inline void compare_shared_sums(std::unique_ptr<tetrawave::kernels::PairSums> own, tetrawave::kernels::PairSums& alone,
                                double enough) {
  using namespace tetrawave;
  const bool is_resident = own->is_resident();
  modes::SharedPairSums shared(std::move(own), comm::Communicator::world(), 2);
  if (!shared.leads()) return shared.serve();
  for (const auto& [faces, sources, sets] :
       {std::array{5, 40, 1}, std::array{31, 7, 3}, std::array{1, 9, 2}, std::array{200, 300, 12}}) {
    const auto points = random_numbers(static_cast<std::size_t>(faces) * 6 * point_rows, 1);
    const auto numbers = random_numbers(static_cast<std::size_t>(sources) * source_size(sets), 2);
    for (kernels::PairSums* sums : {static_cast<kernels::PairSums*>(&shared), &alone}) sums->set_points(points, {6, 1});
    if (is_resident && !shared.is_resident()) WARN("devices do not reach each other: by way of the hosts");
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const std::vector<double> expected = alone.sum(numbers, sets, precision);
      std::vector<std::vector<double>> several{shared.sum(numbers, sets, precision)};
      for (int times = 0; shared.is_resident() && times < 2; ++times) {
        const double* const on_device = shared.upload_sources(numbers);
        const auto found = shared.download_sums(
            {shared.find_resident_sums({on_device, numbers.size()}, sets, precision), expected.size()});
        several.emplace_back(found.begin(), found.end());
      }
      for (const auto& found : several) {
        CHECK(found == several.front());
        REQUIRE(found.size() == expected.size());
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
          largest = std::max(largest, std::abs(expected[i]));
          worst = std::max(worst, std::isfinite(found[i]) ? std::abs(found[i] - expected[i]) : INFINITY);
        }
        CHECK(worst <= (precision == Precision::single_precision && enough > 0 ? 1e-3 : enough) * largest);
      }
    }
  }
  shared.end();
}

}  // namespace tetrawave_tests
