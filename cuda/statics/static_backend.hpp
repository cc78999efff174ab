// What static problems need of a GPU beside what marches need: loops over indices, sums, prefix sums. Free of CUDA's
// own headers.
#pragma once

#include <cstdint>

#include "cuda/cuda_backend.hpp"
#include "cuda/scan.hpp"

namespace tetrawave::cuda {

/// Launches; defined in cuda/statics/static_*.cu for the kernels of statics/kernels/list.hpp.
template <class Kernel>
void launch_each(Stream& stream, const Kernel& kernel, std::int32_t count);
/// `partial`: room for sum_blocks addends and a counter that is 0 before and after.
template <class Kernel>
void launch_sum(Stream& stream, const Kernel& kernel, std::int32_t count, double* partial);
inline constexpr int sum_blocks = 1024;

/// See statics/device_problem.hpp for what a backend gives.
class StaticBackend : public CudaBackend {
 public:
  static constexpr int iterations_at_once = 32;

  explicit StaticBackend(int device) : CudaBackend(device, 1), partial_(*this, sum_blocks + 1) {}

  template <class Kernel>
  void for_each(std::int32_t count, const Kernel& kernel) {
    if (count > 0) launch_each(stream(), kernel, count);
  }
  template <class Kernel>
  void sum(std::int32_t count, const Kernel& kernel) {
    launch_sum(stream(), kernel, count, partial_.data());
  }
  void scan(const std::int32_t* counts, std::int32_t* starts, std::int32_t count) {
    cuda::scan(*this, counts, starts, count);
  }
  [[nodiscard]] std::int32_t value_at(const std::int32_t* place) {
    std::int32_t value = 0;
    stream().to_host(&value, place, sizeof value);
    return value;
  }

 private:
  Buffer<double> partial_;
};

}  // namespace tetrawave::cuda
