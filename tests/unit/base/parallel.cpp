#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("ranges cover every index once and in order") {
  for (const std::size_t count : {0U, 1U, 7U, 100U})
    for (const std::size_t ranges : {1U, 3U, 8U}) {
      std::vector<int> visits(count, 0);
      std::vector<std::size_t> begin(ranges, 1000), end(ranges, 1000);
      for_ranges(count, ranges, [&](std::size_t range, std::size_t first, std::size_t last) {
        begin[range] = first;
        end[range] = last;
        for (std::size_t i = first; i < last; ++i) ++visits[i];
      });
      CHECK(visits == std::vector<int>(count, 1));
      CHECK(begin.front() == 0);
      CHECK(end.back() == count);
      for (std::size_t r = 1; r < ranges; ++r) CHECK(begin[r] == end[r - 1]);
    }
}

TEST_CASE("cheap work is not cut into small ranges") {
  CHECK(count_ranges(0, 8) == 1);
  CHECK(count_ranges(5000, 8) == 1);
  CHECK(count_ranges(10000, 8) == 2);
  CHECK(count_ranges(1000000, 8) == 8);
  CHECK(count_ranges(1000000, 0) == 1);
}

TEST_CASE("items that cannot be cut bound the number of ranges") {
  CHECK(count_ranges(3, 1000000, 8) == 3);
  CHECK(count_ranges(100, 10000, 8) == 2);
  CHECK(count_ranges(0, 0, 8) == 1);
}

TEST_CASE("few long tasks run on as many threads as there are") {
  for (const std::size_t count : {0U, 1U, 3U, 10U})
    for (const int threads : {0, 1, 3}) {
      std::vector<int> visits(count, 0);
      std::vector<std::thread::id> by(count);
      for_each_task(count, threads, [&](std::size_t i) {
        ++visits[i];
        by[i] = std::this_thread::get_id();
      });
      CHECK(visits == std::vector<int>(count, 1));
      const std::size_t expected = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(1, threads)));
      by.erase(std::unique(by.begin(), by.end()), by.end());
      CHECK(by.size() == expected);
    }
}

TEST_CASE("the exception of the lowest range is thrown when all have ended") {
  for (const std::size_t failing : {0U, 2U}) {
    std::atomic<int> ended = 0;
    std::string text;
    try {
      for_ranges(40, 4, [&](std::size_t range, std::size_t, std::size_t) {
        if (range >= failing) throw std::runtime_error(std::to_string(range));
        ++ended;
      });
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    CHECK(text == std::to_string(failing));
    CHECK(ended == static_cast<int>(failing));
  }
}

TEST_CASE("what threads collect and sort is what one thread does") {
  const auto add = [](std::size_t i, std::vector<std::size_t>& list) {
    for (std::size_t k = 0; k < i % 3; ++k) list.push_back(i * 7919 % 50000);
  };
  const std::size_t count = 60000;
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < count; ++i) add(i, expected);
  std::vector<std::size_t> list = collect<std::size_t>(count, 5, add);
  CHECK(list == expected);
  std::vector<std::size_t> descending = list;
  std::sort(expected.begin(), expected.end());
  sort_list(list, 5);
  CHECK(list == expected);
  sort_list(descending, 5, std::greater<>{});
  CHECK(descending == std::vector<std::size_t>(expected.rbegin(), expected.rend()));
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  sort_once(list, 5);
  CHECK(list == expected);
  CHECK(collect<int>(0, 4, [](std::size_t, std::vector<int>&) {}).empty());
}
