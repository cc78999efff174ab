#include "modes/bench/bench_box.hpp"

#include <chrono>
#include <thread>

#include "catch.hpp"
#include "mesh/tetrahedron.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using tetrawave_tests::Approx;

TEST_CASE("the benchmark's box is a unit cube of about as many elements as asked for") {
  const BenchBox box(1000, Ordering::blocks, 1);
  CHECK(box.elements() == 6 * 6 * 6 * 6);  // 5.5^3 cells of six
  double volume = 0;
  for (const Corners& corners : box.mesh().corners) volume += std::abs(signed_volume(corners));
  CHECK(volume == Approx(1).epsilon(1e-12));
  const auto start = box.start(Space::full_1);
  REQUIRE(start.electric);
  CHECK(start.electric->size() == static_cast<std::size_t>(box.elements()) * 12);
  CHECK(start.dt_m > 0);
}

TEST_CASE("the time of an operation is that of one, however many are timed together") {
  std::int64_t done = 0;
  const StepTime time = time_batches(0.2, 2, [&](std::int64_t count) {
    done += count;
    CHECK(count % 2 == 0);
    std::this_thread::sleep_for(std::chrono::microseconds(500 * count));
  });
  CHECK(time.fastest >= 0.5e-3);
  CHECK(time.fastest <= time.seconds);
  CHECK(time.seconds <= time.slowest);
  CHECK(time.steps < done);
}

TEST_CASE(
    "a stored element of full-1 has two matrices of 12 rows, of the element's fields and its neighbours' traces") {
  // own 12, curl 12, six functions behind each of four faces
  CHECK(stored_bytes_of_element(Scheme::dgtd_central, Space::full_1, Precision::double_precision) ==
        2 * 12 * (12 + 12 + 4 * 6) * 8);
  CHECK(stored_bytes_of_element(Scheme::dgtd_central, Space::full_1, Precision::single_precision) ==
        2 * 12 * (12 + 12 + 4 * 6) * 4);
}
