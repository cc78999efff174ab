// Index kernels: a thread for every index.
#include "cuda/statics/static_launch.cuh"

namespace tetrawave::cuda {

namespace {

template <class Kernel>
__global__ void __launch_bounds__(static_threads) run_each(const Kernel kernel, std::int32_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * static_threads + threadIdx.x;
  if (i < count) kernel(AtomicThread(), static_cast<std::int32_t>(i));
}

}  // namespace

template <class Kernel>
void launch_each(Stream& stream, const Kernel& kernel, std::int32_t count) {
  const auto grid = static_cast<unsigned>((static_cast<std::int64_t>(count) + static_threads - 1) / static_threads);
  run_each<<<grid, static_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(kernel, count);
  check(cudaGetLastError(), "the launch of an index kernel");
}

#define TW_INSTANTIATE(...) template void launch_each(Stream&, const __VA_ARGS__&, std::int32_t);
TW_FEM2D_INDEX_KERNELS(TW_INSTANTIATE)

}  // namespace tetrawave::cuda
