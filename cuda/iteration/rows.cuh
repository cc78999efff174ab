// Launches of the kernels of fem/device/kernel_list.hpp: groups of threads, sums over all rows.
#pragma once

#include <algorithm>

#include "cuda/check.hpp"
#include "cuda/iteration/iteration_backend.hpp"
#include "cuda/last_block.cuh"
#include "fem/device/kernel_list.hpp"

namespace tetrawave::cuda {

inline constexpr int row_threads = 256, level_threads = 1024;

/// Consecutive threads of a warp.
template <int threads>
struct ThreadGroup {
  static constexpr int size = threads;

  __device__ __forceinline__ static int lane() { return static_cast<int>(threadIdx.x) % threads; }
  __device__ __forceinline__ static double sum(double number) {
    const unsigned own = (threads == 32 ? ~0u : (1u << threads % 32) - 1) << (threadIdx.x % 32 / threads * threads);
#pragma unroll
    for (int far = threads / 2; far > 0; far /= 2) number += __shfl_xor_sync(own, number, far, threads);
    return number;
  }
  __device__ __forceinline__ static fem::device::ComplexNumber sum(fem::device::ComplexNumber number) {
    return {sum(number.re), sum(number.im)};
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

template <class Kernel>
concept HasTiles = requires {
  Kernel::most_tiles;
};

/// Every block adds up its share, the last one to end adds up the blocks, always in the same order. A row of blocks for
/// each tile of a kernel that has some.
template <class Kernel>
__global__ void __launch_bounds__(row_threads)
    run_row_sums(const Kernel kernel, std::int32_t first, std::int32_t count, double* partial) {
  constexpr int sums = Kernel::sums, warps = row_threads / 32, groups = row_threads / Kernel::width;
  __shared__ double of_warps[sums][warps];
  __shared__ double totals[sums];
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  double own[sums] = {};
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * groups;
  const auto tile = static_cast<std::int32_t>(blockIdx.y);
  double* const of_tile = partial + static_cast<std::int64_t>(tile) * gridDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * groups + threadIdx.x / Kernel::width; i < count;
       i += stride) {
    if constexpr (HasTiles<Kernel>)
      kernel(ThreadGroup<Kernel::width>(), tile, first + static_cast<std::int32_t>(i), own);
    else
      kernel(ThreadGroup<Kernel::width>(), first + static_cast<std::int32_t>(i), own);
  }
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
    of_tile[static_cast<std::int64_t>(threadIdx.x) * most_sum_blocks + blockIdx.x] = sum;
    __threadfence();
  }
  __syncthreads();
  if (!is_last_block(reinterpret_cast<unsigned*>(partial + most_sum_blocks * most_sums) + tile)) return;
  __threadfence();
  for (int s = warp; s < sums; s += warps) {
    double sum = 0;
    for (unsigned b = static_cast<unsigned>(lane); b < gridDim.x; b += 32)
      sum += __ldcg(of_tile + static_cast<std::int64_t>(s) * most_sum_blocks + b);
    sum = ThreadGroup<32>::sum(sum);
    if (lane == 0) totals[s] = sum;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  if constexpr (HasTiles<Kernel>)
    kernel.finish(tile, totals);
  else
    kernel.finish(totals);
}

/// Blocks that run at the same time.
template <class Kernel>
unsigned resident_blocks() {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device), "the number of the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "the number of multiprocessors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_row_sums<Kernel>, row_threads, 0),
        "the occupancy of a row kernel");
  return static_cast<unsigned>(std::clamp(processors * blocks, 1, most_sum_blocks));
}

template <class Kernel>
void launch_rows(Stream& stream, const Kernel& kernel, std::int32_t first, std::int32_t count, double* partial) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  const std::int64_t threads = static_cast<std::int64_t>(count) * Kernel::width;
  const auto blocks = static_cast<unsigned>((threads + row_threads - 1) / row_threads);
  if constexpr (Kernel::sums > 0) {
    static const unsigned resident = resident_blocks<Kernel>();
    run_row_sums<<<std::clamp(blocks, 1u, resident), row_threads, 0, queue>>>(kernel, first, count, partial);
  } else {
    if (blocks == 0) return;
    run_rows<<<blocks, row_threads, 0, queue>>>(kernel, first, count);
  }
  check(cudaGetLastError(), "the launch of a row kernel");
}

template <class Kernel>
void launch_tiles(Stream& stream, const Kernel& kernel, std::int32_t count, double* partial) {
  const auto tiles = static_cast<unsigned>(kernel.tiles());
  if (tiles == 0) return;
  static const unsigned resident = resident_blocks<Kernel>();
  const auto blocks = static_cast<unsigned>((static_cast<std::int64_t>(count) + row_threads - 1) / row_threads);
  const dim3 grid(std::clamp(blocks, 1u, std::max(1u, resident / tiles)), tiles);
  run_row_sums<<<grid, row_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, 0, count, partial);
  check(cudaGetLastError(), "the launch of a row kernel");
}

template <class Kernel>
void launch_levels(Stream& stream, const Kernel& kernel, const std::int32_t* first, std::int32_t from,
                   std::int32_t to) {
  run_levels<<<1, level_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, first, from, to);
  check(cudaGetLastError(), "the launch of a sweep over levels");
}

#define TW_LAUNCH_ROWS(...) template void launch_rows(Stream&, const __VA_ARGS__&, std::int32_t, std::int32_t, double*);
#define TW_LAUNCH_TILES(...) template void launch_tiles(Stream&, const __VA_ARGS__&, std::int32_t, double*);
#define TW_LAUNCH_LEVELS(N, R)                                                                          \
  template void launch_levels(Stream&, const fem::device::SweepRows<N, R, fem::device::PartOfRows<N>>&, \
                              const std::int32_t*, std::int32_t, std::int32_t);

}  // namespace tetrawave::cuda
