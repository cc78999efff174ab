#include "cuda/bench/launch_dissertation.hpp"
#include "cuda/check.hpp"

namespace tetrawave::cuda {

namespace {

struct ThreadBlock {
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ void sync() const { __syncthreads(); }
};

template <class Kernel, class Arguments>
__global__ void __launch_bounds__(Kernel::threads) run_dissertation(const Arguments arguments) {
  __shared__ typename Kernel::Shared shared;
  Kernel::run(arguments, ThreadBlock{}, shared);
}

}  // namespace

template <class Arguments>
void launch_dissertation(Stream& stream, Space space, int block, const Arguments& arguments,
                         std::int64_t thread_blocks) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  const auto grid = static_cast<unsigned>(thread_blocks);
  with_dissertation_kernel(space, block, arguments, [&]<class Kernel>() {
    run_dissertation<Kernel><<<grid, Kernel::threads, 0, queue>>>(arguments);
  });
  check(cudaGetLastError(), "the launch of a kernel of the dissertation");
}

template void launch_dissertation(Stream&, Space, int, const DissertationUpdate<double>&, std::int64_t);
template void launch_dissertation(Stream&, Space, int, const DissertationUpdate<float>&, std::int64_t);
template void launch_dissertation(Stream&, Space, int, const DissertationConvolution<double>&, std::int64_t);
template void launch_dissertation(Stream&, Space, int, const DissertationConvolution<float>&, std::int64_t);

}  // namespace tetrawave::cuda
