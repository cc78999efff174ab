// Parallel loops of the set-up.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
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

/// What add(i, list) appends to a list of T for every i of [0, count), in order; on threads like for_each_index.
template <class T, class Add>
std::vector<T> collect(std::size_t count, int threads, const Add& add) {
  std::vector<std::vector<T>> lists(count_ranges(count, threads));
  for_ranges(count, lists.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) add(i, lists[range]);
  });
  std::vector<T> all = std::move(lists.front());
  for (std::size_t range = 1; range < lists.size(); ++range)
    all.insert(all.end(), lists[range].begin(), lists[range].end());
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

/// Sorts a list: each thread a range, then neighbouring ranges are merged in pairs.
template <class T, class Before = std::less<>>
void sort_list(std::vector<T>& list, int threads, const Before& before = {}) {
  const std::size_t ranges = std::bit_floor(count_ranges(list.size(), threads));
  const auto place = [&](std::size_t range) {
    return list.begin() + static_cast<std::ptrdiff_t>(range * list.size() / ranges);
  };
  for_each_task(ranges, threads, [&](std::size_t r) { std::sort(place(r), place(r + 1), before); });
  for (std::size_t width = 1; width < ranges; width *= 2)
    for_each_task(ranges / (2 * width), threads, [&](std::size_t pair) {
      const std::size_t first = 2 * width * pair;
      std::inplace_merge(place(first), place(first + width), place(first + 2 * width), before);
    });
}
/// The same without repetitions.
template <class T, class Before = std::less<>>
void sort_once(std::vector<T>& list, int threads, const Before& before = {}) {
  sort_list(list, threads, before);
  const auto same = [&](const T& a, const T& b) { return !before(a, b); };  // in ascending order
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

}  // namespace tetrawave
