#include "base/memory.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/copy_on_threads.hpp"
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

TEST_CASE("a list that is enlarged on threads keeps its items, and has zeros after them") {
  return_freed_memory();
  std::vector<std::int64_t> list{3, 5};
  for (const std::size_t count : {std::size_t{7}, (std::size_t{32} << 20) + 5}) {
    resize_on_threads(list, count, 3);
    CHECK(list.size() == count);
    CHECK((list[0] == 3 && list[1] == 5));
    CHECK(std::all_of(list.begin() + 2, list.end(), [](std::int64_t item) { return item == 0; }));
  }
}

TEST_CASE("pages that are given out are resident before they are touched, and none beyond the array's") {
  return_freed_memory();
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const auto block = std::make_unique_for_overwrite<char[]>(2 * bytes);
  const std::int64_t before = resident_bytes();
  give_out_pages(block.get(), bytes, 3);
  const std::int64_t more = resident_bytes() - before;
  CHECK((more == 0 || more > (60 << 20)));  // 0: the system does not take such requests
  CHECK(more < (68 << 20));
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
