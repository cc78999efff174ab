#include "host/iteration_device.hpp"
#include "support/boundary_checks.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

TEST_CASE("boundary values on a device of the first rank, points shared out over ranks, give the fields of one rank") {
  const std::string text = brick_case("mixed-1", ", tolerance: 1e-8", "method: direct");
  modes::FrequencyMachine machine;
  machine.iteration_device = host::make_iteration_device(1);
  const IteratedBoundary found = iterate_brick(text, machine, comm::Communicator::world());
  if (found.unknowns.empty()) return;
  const IteratedBoundary expected = iterate_brick(text, {}, comm::Communicator::self());
  CHECK(found.history.changes.size() == expected.history.changes.size());
  CHECK(difference_of(found, expected) < 1e-9);
}
