// Launches of the kernels of fem/device/kernel_list.hpp: groups of threads, sums over all rows.
#pragma once

#include <algorithm>

#include "cuda/check.hpp"
#include "cuda/iteration/iteration_backend.hpp"
#include "cuda/last_block.cuh"
#include "cuda/signals.cuh"
#include "fem/device/kernel_list.hpp"

namespace tetrawave::cuda {

inline constexpr int row_threads = 256, level_threads = 1024;

/// Consecutive threads of a warp.
template <int threads>
struct ThreadGroup {
  static constexpr int size = threads;

  __device__ __forceinline__ static int lane() { return static_cast<int>(threadIdx.x) % threads; }
  __device__ __forceinline__ static double sum(double number) {
#pragma unroll
    for (int far = threads / 2; far > 0; far /= 2) number += __shfl_xor_sync(members(), number, far, threads);
    return number;
  }
  __device__ __forceinline__ static fem::device::ComplexNumber sum(fem::device::ComplexNumber number) {
    return {sum(number.re), sum(number.im)};
  }
  __device__ __forceinline__ static void sync() { __syncwarp(members()); }
  __device__ __forceinline__ static void add(double* to, double value) { atomicAdd(to, value); }
  __device__ __forceinline__ static std::int32_t count_up(std::int32_t* counter) { return atomicAdd(counter, 1); }

 private:
  __device__ __forceinline__ static unsigned members() {
    return (threads == 32 ? ~0u : (1u << threads % 32) - 1) << (threadIdx.x % 32 / threads * threads);
  }
};

template <class Kernel>
__global__ void __launch_bounds__(row_threads) run_rows(const Kernel kernel, std::int32_t first, std::int32_t count) {
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * row_threads + threadIdx.x) / Kernel::width;
  if (i < count) kernel(ThreadGroup<Kernel::width>(), first + static_cast<std::int32_t>(i), nullptr);
}

template <class Kernel>
__global__ void __launch_bounds__(level_threads)
    run_levels(const Kernel kernel, const std::int32_t* first, std::int32_t from, std::int32_t to) {
  constexpr int groups = level_threads / Kernel::width;
  const auto own = static_cast<std::int32_t>(threadIdx.x) / Kernel::width;
  for (std::int32_t level = from; level < to; ++level) {
    const std::int32_t end = first[level + 1];
    for (std::int32_t i = first[level] + own; i < end; i += groups) kernel(ThreadGroup<Kernel::width>(), i, nullptr);
    __syncthreads();
  }
}

__device__ __forceinline__ unsigned* counters_of(double* partial) {
  return reinterpret_cast<unsigned*>(partial + most_sum_blocks * most_sums);
}

/// Every block adds up its share, the last one to end adds up the blocks, always in the same order: those before
/// `split`, then the others.
template <class Kernel>
__device__ __forceinline__ void add_up(const Kernel& kernel, const double* own, unsigned split, double* partial,
                                       unsigned* counter) {
  constexpr int sums = Kernel::sums, warps = row_threads / 32;
  __shared__ double of_warps[sums][warps];
  __shared__ double totals[sums];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  __syncwarp();
#pragma unroll
  for (int s = 0; s < sums; ++s) {
    const double sum = ThreadGroup<32>::sum(own[s]);
    if (lane == 0) of_warps[s][warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x < sums) {
    double sum = 0;
    for (int w = 0; w < warps; ++w) sum += of_warps[threadIdx.x][w];
    partial[static_cast<std::int64_t>(threadIdx.x) * most_sum_blocks + blockIdx.x] = sum;
    __threadfence();
  }
  __syncthreads();
  if (!is_last_block(counter)) return;
  __threadfence();
  const auto sum_of = [&](int s, unsigned from, unsigned to) {
    double sum = 0;
    for (unsigned b = from + static_cast<unsigned>(lane); b < to; b += 32)
      sum += __ldcg(partial + static_cast<std::int64_t>(s) * most_sum_blocks + b);
    return ThreadGroup<32>::sum(sum);
  };
  for (int s = warp; s < sums; s += warps) {
    double sum = sum_of(s, 0, split);
    if (split < gridDim.x) sum += sum_of(s, split, gridDim.x);
    if (lane == 0) totals[s] = sum;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  if constexpr (requires { kernel.finish(Signals(), totals); })
    kernel.finish(Signals(), totals);
  else
    kernel.finish(totals);
}

template <class Kernel>
__global__ void __launch_bounds__(row_threads)
    run_row_sums(const Kernel kernel, std::int32_t first, std::int32_t count, double* partial) {
  constexpr int groups = row_threads / Kernel::width;
  double own[Kernel::sums] = {};
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * groups;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * groups + threadIdx.x / Kernel::width; i < count;
       i += stride)
    kernel(ThreadGroup<Kernel::width>(), first + static_cast<std::int32_t>(i), own);
  add_up(kernel, own, gridDim.x, partial, counters_of(partial));
}

/// A row of blocks for each tile of the kernel: they read the same numbers at about the same time.
template <class Kernel>
__global__ void __launch_bounds__(row_threads) run_tiles(const Kernel kernel, std::int32_t count, double* partial) {
  using Tile = fem::device::TileOf<Kernel>;
  const Tile tile{kernel, static_cast<std::int32_t>(blockIdx.y)};
  double own[Tile::sums] = {};
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * row_threads + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * row_threads)
    tile(ThreadGroup<1>(), static_cast<std::int32_t>(i), own);
  add_up(tile, own, gridDim.x, partial + static_cast<std::int64_t>(blockIdx.y) * gridDim.x,
         counters_of(partial) + blockIdx.y);
}

/// `border_blocks` have the border, from number `first_border` on: they may wait for other ranks, which wait for none
/// of these. With sums they are the last.
template <class Kernel, class N>
__global__ void __launch_bounds__(row_threads)
    run_split(const Kernel kernel, const fem::device::SplitLaunch<N> split, unsigned first_border,
              unsigned border_blocks, double* partial) {
  constexpr int groups = row_threads / Kernel::width;
  using Group = ThreadGroup<Kernel::width>;
  double own[Kernel::sums + 1] = {};
  const bool is_before = blockIdx.x < first_border, at_border = !is_before && blockIdx.x < first_border + border_blocks;
  const unsigned block = is_before ? blockIdx.x : blockIdx.x - (at_border ? first_border : border_blocks);
  const unsigned blocks = at_border ? border_blocks : gridDim.x - border_blocks;
  const std::int32_t* const places = at_border ? split.border : split.inner;
  const std::int32_t count = at_border ? split.border_count : split.inner_count;
  if (at_border) split.flags.begin(Signals(), block == 0);
  for (std::int64_t i = static_cast<std::int64_t>(block) * groups + threadIdx.x / Kernel::width; i < count;
       i += static_cast<std::int64_t>(blocks) * groups) {
    kernel(Group(), places[i], own);
    if (at_border && Group::lane() == 0) split.messages.send(static_cast<std::int32_t>(i));
  }
  if (at_border) split.flags.end(Signals(), blocks);
  if constexpr (Kernel::sums > 0) add_up(kernel, own, first_border, partial, counters_of(partial));
}

/// Blocks of a program that run at the same time.
inline unsigned resident_blocks(const void* program) {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device), "the number of the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "the number of multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, program, row_threads, 0),
        "the occupancy of a row kernel");
  return static_cast<unsigned>(std::clamp(processors * blocks, 1, most_sum_blocks / 2));
}
template <class Kernel>
unsigned row_blocks(std::int32_t count) {
  return static_cast<unsigned>((static_cast<std::int64_t>(count) * Kernel::width + row_threads - 1) / row_threads);
}

template <class Kernel>
void launch_rows(Stream& stream, const Kernel& kernel, std::int32_t first, std::int32_t count, double* partial) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  const unsigned blocks = row_blocks<Kernel>(count);
  if constexpr (Kernel::sums > 0) {
    static const unsigned resident = resident_blocks(reinterpret_cast<const void*>(run_row_sums<Kernel>));
    run_row_sums<<<std::clamp(blocks, 1u, resident), row_threads, 0, queue>>>(kernel, first, count, partial);
  } else {
    if (blocks == 0) return;
    run_rows<<<blocks, row_threads, 0, queue>>>(kernel, first, count);
  }
  check(cudaGetLastError(), "the launch of a row kernel");
}

template <class Kernel, class N>
void launch_split(Stream& stream, const Kernel& kernel, const fem::device::SplitLaunch<N>& split, double* partial) {
  unsigned inner = row_blocks<Kernel>(split.inner_count), border = row_blocks<Kernel>(split.border_count);
  if (border == 0 && split.flags.peers > 0) border = 1;  // it has flags to wait for and to raise
  if constexpr (Kernel::sums > 0) {
    static const unsigned resident = resident_blocks(reinterpret_cast<const void*>(run_split<Kernel, N>));
    inner = std::min(inner, resident);
    border = std::min(border, resident);
    if (inner + border == 0) inner = 1;
  }
  if (inner + border == 0) return;
  // early enough that inner rows end with it, late enough that ghosts are there
  const unsigned first_border = Kernel::sums > 0 ? inner : inner - inner / 4;
  run_split<<<inner + border, row_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, split, first_border,
                                                                                            border, partial);
  check(cudaGetLastError(), "the launch of a row kernel in two parts");
}

template <class Kernel>
void launch_tiles(Stream& stream, const Kernel& kernel, std::int32_t count, double* partial) {
  const auto tiles = static_cast<unsigned>(kernel.tiles());
  if (tiles == 0) return;
  static const unsigned resident = resident_blocks(reinterpret_cast<const void*>(run_tiles<Kernel>));
  const dim3 grid(std::clamp(row_blocks<Kernel>(count), 1u, std::max(1u, resident / tiles)), tiles);
  run_tiles<<<grid, row_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, count, partial);
  check(cudaGetLastError(), "the launch of tiles of a row kernel");
}

template <class Kernel>
void launch_levels(Stream& stream, const Kernel& kernel, const std::int32_t* first, std::int32_t from,
                   std::int32_t to) {
  run_levels<<<1, level_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, first, from, to);
  check(cudaGetLastError(), "the launch of a sweep over levels");
}

#define TW_LAUNCH_ROWS(...) template void launch_rows(Stream&, const __VA_ARGS__&, std::int32_t, std::int32_t, double*);
#define TW_LAUNCH_SPLIT(N, ...) \
  template void launch_split(Stream&, const __VA_ARGS__&, const fem::device::SplitLaunch<N>&, double*);
#define TW_LAUNCH_TILES(...) template void launch_tiles(Stream&, const __VA_ARGS__&, std::int32_t, double*);
#define TW_LAUNCH_LEVELS(N, R)                                                                          \
  template void launch_levels(Stream&, const fem::device::SweepRows<N, R, fem::device::PartOfRows<N>>&, \
                              const std::int32_t*, std::int32_t, std::int32_t);

}  // namespace tetrawave::cuda
