#include "host/iteration_device.hpp"
#include "support/boundary_checks.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("boundary values on a device of the first rank, points shared out over ranks, give the fields of one rank") {
  modes::FrequencyMachine by_host;
  by_host.iteration_device = host::make_iteration_device(1);
  modes::FrequencyMachine resident = by_host;
  resident.make_pair_sums = [](int, const auto&, const auto&) { return std::make_unique<ResidentHostSums>(); };
  ResidentHostSums::sums = 0;
  compare_shared_brick({by_host, resident});
  CHECK(ResidentHostSums::sums > 3);  // on every rank
}
