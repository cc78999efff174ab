#include "host/copy_bandwidth.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "base/memory.hpp"

namespace tetrawave::host {

namespace {

constexpr std::size_t bytes = std::size_t{1} << 28;
constexpr std::size_t piece = std::size_t{1} << 20;  ///< chunk of a thread

struct Free {
  void operator()(char* memory) const { ::operator delete (memory, std::align_val_t{64}); }
};
using Memory = std::unique_ptr<char, Free>;

Memory allocate() {
  Memory memory(static_cast<char*>(::operator new (bytes, std::align_val_t{64})));
  prefer_large_pages(memory.get(), bytes);  // as the fields are
  return memory;
}

void copy_piece(const char* from, char* to) {
  for (std::size_t i = 0; i < piece; i += 64)
    for (std::size_t k = 0; k < 64; k += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k),
                       _mm_load_si128(reinterpret_cast<const __m128i*>(from + i + k)));
}

void copy(const char* from, char* to, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t p = 0; p < static_cast<std::int64_t>(bytes / piece); ++p)
    copy_piece(from + static_cast<std::size_t>(p) * piece, to + static_cast<std::size_t>(p) * piece);
  _mm_sfence();
}

void touch(char* memory, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t p = 0; p < static_cast<std::int64_t>(bytes / piece); ++p)
    std::fill_n(memory + static_cast<std::size_t>(p) * piece, piece, static_cast<char>(p));
}

}  // namespace

double measure_copy([[maybe_unused]] int threads) {
  const Memory from = allocate();
  const Memory to = allocate();
  touch(from.get(), threads);
  touch(to.get(), threads);
  double best = 0;
  for (int k = 0; k < 9; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    copy(from.get(), to.get(), threads);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2.0 * static_cast<double>(bytes) / passed.count());
  }
  return best;
}

}  // namespace tetrawave::host
