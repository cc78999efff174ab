#include <random>

#include "catch.hpp"
#include "host/pair_sums.hpp"
#include "kernels/pairs/green.hpp"
#include "modes/frequency_domain/shared_pair_sums.hpp"

using namespace tetrawave;

namespace {

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& x : numbers) x = normal(engine);
  return numbers;
}

}  // namespace

TEST_CASE("sums over pairs of points shared out over ranks are those of one rank, whatever their sizes") {
  const comm::Communicator world = comm::Communicator::world();
  using Kernel = kernels::BoundaryRadiation<double, 1>;
  modes::SharedPairSums shared(host::make_pair_sums(1), world, 2);
  if (!shared.leads()) return shared.serve();
  const auto alone = host::make_pair_sums(1);
  for (const auto& [faces, sources, sets] : {std::array{5, 40, 1}, std::array{31, 7, 3}, std::array{1, 9, 2}}) {
    const auto points = random_numbers(static_cast<std::size_t>(faces) * 6 * Kernel::point_rows, 1);
    const auto numbers = random_numbers(static_cast<std::size_t>(sources) * Kernel::source_size(sets), 2);
    for (kernels::PairSums* sums : {static_cast<kernels::PairSums*>(&shared), alone.get()})
      sums->set_points(points, {6, 1});
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      CHECK(shared.sum(numbers, sets, precision) == alone->sum(numbers, sets, precision));
  }
  shared.end();
}
