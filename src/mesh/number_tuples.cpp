#include "mesh/number_tuples.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace tetrawave {

namespace {

using Key = std::array<std::int32_t, 4>;

Key sorted_key(std::span<const std::int32_t> tuples, std::size_t size, std::size_t index) {
  constexpr auto last = std::numeric_limits<std::int32_t>::max();
  Key key{last, last, last, last};
  std::copy_n(tuples.begin() + static_cast<std::ptrdiff_t>(index * size), size, key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

}  // namespace

TupleNumbers number_tuples(std::span<const std::int32_t> tuples, std::size_t size, std::int32_t node_count) {
  ensure(size >= 1 && size <= 4, "a tuple has one to four nodes");
  const std::size_t count = tuples.size() / size;
  ensure(count <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()), "tuples are counted in 32 bits");
  // Sorts tuples into buckets of their smallest node, by counting.
  std::vector<std::int32_t> first(static_cast<std::size_t>(node_count) + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++first[static_cast<std::size_t>(sorted_key(tuples, size, i)[0]) + 1];
  for (std::size_t node = 1; node < first.size(); ++node) first[node] += first[node - 1];
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  std::vector<std::int32_t> in_bucket(count);
  for (std::size_t i = 0; i < count; ++i)
    in_bucket[static_cast<std::size_t>(next[static_cast<std::size_t>(sorted_key(tuples, size, i)[0])]++)] =
        static_cast<std::int32_t>(i);
  TupleNumbers numbers;
  numbers.id.resize(count);
  std::vector<std::pair<Key, std::int32_t>> bucket;
  for (std::size_t node = 0; node + 1 < first.size(); ++node) {
    bucket.clear();
    for (auto at = first[node]; at < first[node + 1]; ++at) {
      const std::int32_t tuple = in_bucket[static_cast<std::size_t>(at)];
      bucket.emplace_back(sorted_key(tuples, size, static_cast<std::size_t>(tuple)), tuple);
    }
    std::sort(bucket.begin(), bucket.end());
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      if (i == 0 || bucket[i].first != bucket[i - 1].first) ++numbers.count;
      numbers.id[static_cast<std::size_t>(bucket[i].second)] = numbers.count - 1;
    }
  }
  return numbers;
}

}  // namespace tetrawave
