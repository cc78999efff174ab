// Sum kernels: every block adds up its share, the last one to end adds up the blocks, always in the same order.
#include "cuda/last_block.cuh"
#include "cuda/statics/static_launch.cuh"

namespace tetrawave::cuda {

namespace {

/// The sum over the block's threads, in thread 0.
__device__ double sum_block(double value) {
  __shared__ double shared[static_threads];
  shared[threadIdx.x] = value;
  for (int half = static_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  __syncthreads();
  return shared[0];
}

template <class Kernel>
__global__ void __launch_bounds__(static_threads) run_sum(const Kernel kernel, std::int32_t count, double* partial) {
  double sum = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * static_threads + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * static_threads)
    sum += kernel(AtomicThread(), static_cast<std::int32_t>(i));
  sum = sum_block(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  if (!is_last_block(reinterpret_cast<unsigned*>(partial + sum_blocks))) return;
  __threadfence();
  double total = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += static_threads) total += __ldcg(partial + i);
  total = sum_block(total);
  if (threadIdx.x == 0) kernel.finish(total);
}

}  // namespace

template <class Kernel>
void launch_sum(Stream& stream, const Kernel& kernel, std::int32_t count, double* partial) {
  const std::int64_t needed = (static_cast<std::int64_t>(count) + static_threads - 1) / static_threads;
  const auto grid = static_cast<unsigned>(needed < 1 ? 1 : (needed > sum_blocks ? sum_blocks : needed));
  run_sum<<<grid, static_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, count, partial);
  check(cudaGetLastError(), "the launch of a sum kernel");
}

#define TW_INSTANTIATE(...) template void launch_sum(Stream&, const __VA_ARGS__&, std::int32_t, double*);
TW_FEM2D_SUM_KERNELS(TW_INSTANTIATE)

}  // namespace tetrawave::cuda
