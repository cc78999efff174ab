#include "modes/frequency_domain/shared_pair_sums.hpp"

#include "catch.hpp"
#include "host/pair_sums.hpp"
#include "support/boundary_checks.hpp"
#include "support/shared_sums.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// Fails on one rank once it sums for the second time.
class FailingSums : public ResidentHostSums {
 public:
  explicit FailingSums(bool fails) : fails_(fails) {}
  void sum_in_buffer(std::span<const double> sources, int sets, Precision precision, double* to) override {
    if (fails_ && times_++ > 0) throw UserError(ExitCode::out_of_memory, "no room");
    ResidentHostSums::sum_in_buffer(sources, sets, precision, to);
  }

 private:
  bool fails_;
  int times_ = 0;
};

}  // namespace

TEST_CASE("sums over pairs of points shared out over ranks are those of one rank, whatever their sizes") {
  compare_shared_sums(host::make_pair_sums(1), *host::make_pair_sums(1), 0);
}

TEST_CASE("sums of devices of several ranks stay on the first one's, and are those of one rank") {
  ResidentHostSums::buffers = 0;
  compare_shared_sums(std::make_unique<ResidentHostSums>(), *host::make_pair_sums(1), 0);
  CHECK((ResidentHostSums::buffers > 1) == (comm::Communicator::world().size() > 1));  // it grows
}

TEST_CASE("a failure of sums on one device is that of all ranks, which leave the first one's memory") {
  const comm::Communicator world = comm::Communicator::world();
  if (world.size() == 1) return;
  modes::SharedPairSums shared(std::make_unique<FailingSums>(world.rank() == 1), world, 1);
  const auto fail_at_second = [&] {
    if (!shared.leads()) return shared.serve();
    shared.set_points(random_numbers(6 * point_rows, 1), {6, 1});
    const std::vector<double> sources = random_numbers(5 * source_size(1), 2);
    CHECK(shared.sum(sources, 1, Precision::double_precision).size() == 24);
    (void)shared.sum(sources, 1, Precision::double_precision);
  };
  CHECK_THROWS_AS(fail_at_second(), UserError);
  world.barrier();
}
