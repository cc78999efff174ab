// What iterations of sparse systems need of a GPU beside what marches need. Free of CUDA's own headers.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/cuda_backend.hpp"

namespace tetrawave::fem::device {
template <class N>
struct SplitLaunch;
}

namespace tetrawave::cuda {

inline constexpr int most_sum_blocks = 4096;
inline constexpr int most_sums = 16;

/// Launches; defined in cuda/iteration/rows_*.cu for the kernels of fem/device/kernel_list.hpp. `partial`: room for
/// most_sum_blocks * most_sums numbers and a counter that is 0 before and after.
template <class Kernel>
void launch_rows(Stream& stream, const Kernel& kernel, std::int32_t first, std::int32_t count, double* partial);
template <class Kernel, class N>
void launch_split(Stream& stream, const Kernel& kernel, const fem::device::SplitLaunch<N>& split, double* partial);
/// Levels [from, to) by one block of threads, one after the other; `first` on the device.
template <class Kernel>
void launch_levels(Stream& stream, const Kernel& kernel, const std::int32_t* first, std::int32_t from, std::int32_t to);

/// See fem/device/device_system.hpp for what a backend gives.
class IterationBackend : public CudaBackend {
 public:
  static constexpr int iterations_at_once = 8;

  IterationBackend(int device, int threads, Transport transport)
      : CudaBackend(device, threads, transport), partial_(*this, most_sum_blocks * most_sums + 1) {}

  template <class Kernel>
  void rows(std::int32_t count, const Kernel& kernel) {
    static_assert(Kernel::sums <= most_sums);
    launch_rows(stream(), kernel, 0, count, partial_.data());
  }
  template <class Kernel, class N>
  void split_rows(const Kernel& kernel, const fem::device::SplitLaunch<N>& split) {
    static_assert(Kernel::sums <= most_sums);
    launch_split(stream(), kernel, split, partial_.data());
  }
  /// Small levels that follow each other are one launch.
  template <class Kernel>
  void levels(const std::vector<std::int32_t>& first, const Kernel& kernel, const std::int32_t* on_device) {
    constexpr std::int32_t small = 1024;  // rows that one multiprocessor sweeps in the time of a launch or two
    const auto count = static_cast<std::int32_t>(first.size()) - 1;
    const auto rows_of = [&first](std::int32_t level) {
      return first[static_cast<std::size_t>(level) + 1] - first[static_cast<std::size_t>(level)];
    };
    for (std::int32_t level = 0; level < count;) {
      std::int32_t next = level;
      while (next < count && rows_of(next) <= small) ++next;
      if (next > level) {
        launch_levels(stream(), kernel, on_device, level, next);
        level = next;
        continue;
      }
      launch_rows(stream(), kernel, first[static_cast<std::size_t>(level)], rows_of(level), partial_.data());
      ++level;
    }
  }

 private:
  Buffer<double> partial_;
};

}  // namespace tetrawave::cuda
