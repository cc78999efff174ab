// Prefix sums, by CUB.
#include "cuda/scan.hpp"

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "cuda/check.hpp"

namespace tetrawave::cuda {

namespace {

/// Counts are added up as numbers of this type.
template <class Start>
struct Widen {
  __host__ __device__ Start operator()(std::int32_t count) const { return count; }
};

}  // namespace

template <class Start>
void scan(CudaBackend& backend, const std::int32_t* counts, Start* starts, std::int32_t count) {
  const auto queue = static_cast<cudaStream_t>(backend.stream().handle());
  check(cudaMemsetAsync(starts, 0, sizeof *starts, queue), "the first number of a scan");
  if (count == 0) return;
  std::size_t bytes = 0;
  const auto run = [&](void* scratch) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, thrust::make_transform_iterator(counts, Widen<Start>()),
                                         starts + 1, count, queue);
  };
  check(run(nullptr), "the size of a scan");
  CudaBackend::Buffer<char> scratch(backend, bytes);
  check(run(scratch.data()), "a scan");
}

template void scan(CudaBackend&, const std::int32_t*, std::int32_t*, std::int32_t);
template void scan(CudaBackend&, const std::int32_t*, std::int64_t*, std::int32_t);

}  // namespace tetrawave::cuda
