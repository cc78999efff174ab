// Copies of large arrays.
#pragma once

#include <algorithm>
#include <cstddef>

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

}  // namespace tetrawave
