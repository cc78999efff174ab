// Parallel loops of the set-up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <future>
#include <iterator>
#include <utility>
#include <vector>

namespace tetrawave {

/// Number of ranges for cheap work on `count` items: one per thread, of at least a few thousand items each.
inline std::size_t count_ranges(std::size_t count, int threads) {
  constexpr std::size_t least = 4096;
  return std::clamp<std::size_t>(count / least, 1, static_cast<std::size_t>(std::max(1, threads)));
}

/// The same for `count` indivisible items, consisting of `parts` cheap parts in total.
inline std::size_t count_ranges(std::size_t count, std::size_t parts, int threads) {
  return std::min(count_ranges(parts, threads), std::max<std::size_t>(1, count));
}

/// Calls work(range, first, last) for `ranges` contiguous ranges of [0, count), each on its own thread. Of several
/// exceptions that of the lowest range is thrown, after all have finished.
template <class Work>
void for_ranges(std::size_t count, std::size_t ranges, const Work& work) {
  std::exception_ptr first;
  const auto note = [&first](const auto& call) {
    try {
      call();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  const auto run = [&](std::size_t r) { work(r, r * count / ranges, (r + 1) * count / ranges); };
  std::vector<std::future<void>> others;
  for (std::size_t r = 1; r < ranges; ++r) others.push_back(std::async(std::launch::async, run, r));
  note([&] { run(0); });
  for (auto& other : others) note([&] { other.get(); });
  if (first) std::rethrow_exception(first);
}

/// Calls work(i) for every i of [0, count), on several threads if there are thousands of items: for cheap work.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  for_ranges(count, count_ranges(count, threads), [&work](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) work(i);
  });
}

/// What find(i, list) adds to its list for every i of [0, count), in their order, on several threads as above.
template <class T, class Find>
std::vector<T> collect(std::size_t count, int threads, const Find& find) {
  std::vector<std::vector<T>> parts(count_ranges(count, threads));
  for_ranges(count, parts.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    std::vector<T> list;
    for (std::size_t i = first; i < last; ++i) find(i, list);
    parts[range] = std::move(list);
  });
  std::vector<T> all = std::move(parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k)
    all.insert(all.end(), std::make_move_iterator(parts[k].begin()), std::make_move_iterator(parts[k].end()));
  return all;
}

/// Calls work(i) for every i of [0, count), on all threads: for expensive work.
template <class Work>
void for_each_task(std::size_t count, int threads, const Work& work) {
  const std::size_t ranges = std::clamp<std::size_t>(count, 1, static_cast<std::size_t>(std::max(1, threads)));
  for_ranges(count, ranges, [&work](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) work(i);
  });
}

}  // namespace tetrawave
