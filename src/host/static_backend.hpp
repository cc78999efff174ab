// What static problems need of the CPU in addition to time stepping: loops over indices, sums, prefix sums.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "host/host_backend.hpp"

namespace tetrawave::host {

/// Concurrent writes of one thread among others.
class HostThread {
 public:
  static std::int32_t exchange(std::int32_t* place, std::int32_t value) {
    return std::atomic_ref<std::int32_t>(*place).exchange(value, std::memory_order_relaxed);
  }
  static void add(double* place, double value) {
    std::atomic_ref<double>(*place).fetch_add(value, std::memory_order_relaxed);
  }
};

/// See statics/device_problem.hpp for the interface of a backend.
class StaticBackend : public HostBackend {
 public:
  using HostBackend::HostBackend;
  static constexpr int iterations_at_once = 1;

  template <class Kernel>
  void for_each(std::int32_t count, const Kernel& kernel) {
#pragma omp parallel for schedule(static) if (count > least)
    for (std::int32_t i = 0; i < count; ++i) kernel(HostThread(), i);
  }

  /// Sums pieces of a fixed length, then the pieces: the result does not depend on the number of threads.
  template <class Kernel>
  void sum(std::int32_t count, const Kernel& kernel) {
    const std::int32_t pieces = (count + piece - 1) / piece;
    sums_.assign(static_cast<std::size_t>(pieces), 0);
#pragma omp parallel for schedule(static) if (count > least)
    for (std::int32_t k = 0; k < pieces; ++k) {
      double sum = 0;
      const std::int32_t end = k + 1 == pieces ? count : (k + 1) * piece;
      for (std::int32_t i = k * piece; i < end; ++i) sum += kernel(HostThread(), i);
      sums_[static_cast<std::size_t>(k)] = sum;
    }
    double total = 0;
    for (const double sum : sums_) total += sum;
    kernel.finish(total);
  }

  void scan(const std::int32_t* counts, std::int32_t* starts, std::int32_t count) {
    starts[0] = 0;
    for (std::int32_t i = 0; i < count; ++i) starts[i + 1] = starts[i] + counts[i];
  }

  [[nodiscard]] static std::int32_t value_at(const std::int32_t* place) { return *place; }

 private:
  static constexpr std::int32_t piece = 512;
  static constexpr std::int32_t least = 4096;  ///< below this size, threads cost more than they gain
  std::vector<double> sums_;
};

}  // namespace tetrawave::host
