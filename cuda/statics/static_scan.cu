// Prefix sums, by CUB.
#include <cub/device/device_scan.cuh>

#include "cuda/check.hpp"
#include "cuda/statics/static_backend.hpp"

namespace tetrawave::cuda {

std::size_t scan_bytes(std::int32_t count) {
  std::size_t bytes = 0;
  const std::int32_t* counts = nullptr;
  std::int32_t* starts = nullptr;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, counts, starts, count), "the size of a scan");
  return bytes;
}

void launch_scan(Stream& stream, const std::int32_t* counts, std::int32_t* starts, std::int32_t count, void* scratch,
                 std::size_t scratch_bytes) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  check(cudaMemsetAsync(starts, 0, sizeof *starts, queue), "the first number of a scan");
  if (count == 0) return;
  check(cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, counts, starts + 1, count, queue), "a scan");
}

}  // namespace tetrawave::cuda
