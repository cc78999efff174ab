// Copies of large arrays, and their pages, on threads.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"

namespace tetrawave {

/// Each thread takes a megabyte or more, which takes about as long as to start it; a few are as fast as the memory.
template <class T>
void copy_on_threads(const T* from, std::size_t count, T* to, int threads) {
  constexpr std::size_t least = (std::size_t{1} << 20) / sizeof(T), most = 16;
  const std::size_t ranges = std::clamp<std::size_t>(count / least, 1, std::clamp<std::size_t>(threads, 1, most));
  for_ranges(count, ranges, [&](std::size_t, std::size_t first, std::size_t last) {
    std::copy(from + first, from + last, to + first);
  });
}

/// Has the system give out the pages of memory that nobody has touched to several threads at a time, where it takes
/// such requests (Linux 5.14); elsewhere they come one by one when they are touched.
inline void give_out_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes,
                           [[maybe_unused]] int threads) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;  // of large ones
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + page - 1) / page, last = (begin + bytes) / page;
  if (last <= first) return;
  for_each_task(last - first, threads, [first](std::size_t k) {
    madvise(reinterpret_cast<void*>((first + k) * page), page, MADV_POPULATE_WRITE);  // or not
  });
#endif
}

/// list.resize(count) of a std::vector, with pages that threads have given out.
template <class List>
void resize_on_threads(List& list, std::size_t count, int threads) {
  if (count > list.capacity()) {
    list.reserve(count);
    give_out_pages(list.data() + list.size(), (count - list.size()) * sizeof(*list.data()), threads);
  }
  list.resize(count);
}

}  // namespace tetrawave
