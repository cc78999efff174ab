#include "base/memory.hpp"

#include <vector>

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("resident memory grows with what is used, and the peak stays") {
  return_freed_memory();
  const std::int64_t before = resident_bytes();
  CHECK(before > 100'000);
  {
    const std::vector<char> block(64 << 20, 1);
    CHECK(resident_bytes() - before > (60 << 20));
    CHECK(block.back() == 1);
  }
  CHECK(resident_bytes() - before < (10 << 20));
  CHECK(peak_resident_bytes() - before > (50 << 20));  // the system counts pages in lots on each core
}

TEST_CASE("available memory is some of it") {
  const auto available = available_bytes();
  REQUIRE(available.has_value());
  CHECK(*available > 1'000'000);
}

TEST_CASE("bytes are described with three digits") {
  CHECK(describe_bytes(12) == "12 B");
  CHECK(describe_bytes(3'456) == "3.46 kB");
  CHECK(describe_bytes(128'000'000) == "128 MB");
  CHECK(describe_bytes(3'400'000'000) == "3.4 GB");
  CHECK(describe_bytes(2'000'000'000'000) == "2 TB");
}
