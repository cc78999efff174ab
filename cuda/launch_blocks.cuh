// Launches of block kernels: one thread an element, 128 threads (4 blocks of elements) a thread block.
#pragma once

#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/lane.cuh"
#include "kernels/list.hpp"

namespace tetrawave::cuda {

inline constexpr int threads_per_block = 128;

template <class Kernel>
__global__ void __launch_bounds__(threads_per_block) run(const Kernel kernel, std::int64_t first, std::int64_t count) {
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * (threads_per_block / 32) + threadIdx.x / 32;
  if (block < count) kernel(ThreadLane<typename Kernel::Scalar>{first + block, static_cast<int>(threadIdx.x % 32)});
}

template <class Kernel>
void launch_blocks(Stream& stream, const Kernel& kernel, std::int64_t first, std::int64_t count) {
  constexpr int blocks = threads_per_block / 32;
  const auto grid = static_cast<unsigned>((count + blocks - 1) / blocks);
  run<<<grid, threads_per_block, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, first, count);
  check(cudaGetLastError(), "the launch of a block kernel");
}

#define TW_INSTANTIATE(...) template void launch_blocks(Stream&, const __VA_ARGS__&, std::int64_t, std::int64_t);

}  // namespace tetrawave::cuda
