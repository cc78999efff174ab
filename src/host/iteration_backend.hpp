// What iterations of sparse systems need of the CPU in addition to time stepping (fem/device/device_system.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "host/host_backend.hpp"

namespace tetrawave::host {

/// A group of one thread.
struct HostGroup {
  static constexpr int size = 1;
  [[nodiscard]] static constexpr int lane() { return 0; }
  template <class N>
  [[nodiscard]] static N sum(N number) {
    return number;
  }
};

class IterationBackend : public HostBackend {
 public:
  using HostBackend::HostBackend;
  static constexpr int iterations_at_once = 1;

  /// Sums pieces of a fixed length, then the pieces: the result does not depend on the number of threads.
  template <class Kernel>
  void rows(std::int32_t count, const Kernel& kernel) {
    run(0, count, kernel);
  }
  /// All rows for each tile of the kernel.
  template <class Kernel>
  void tiles(std::int32_t count, const Kernel& kernel) {
    for (std::int32_t tile = 0; tile < kernel.tiles(); ++tile) run(0, count, Tile<Kernel>{kernel, tile});
  }
  template <class Kernel>
  void levels(const std::vector<std::int32_t>& first, const Kernel& kernel, const std::int32_t* /*first*/) {
    for (std::size_t level = 0; level + 1 < first.size(); ++level) run(first[level], first[level + 1], kernel);
  }

 private:
  template <class Kernel>
  struct Tile {
    static constexpr int sums = Kernel::sums;
    const Kernel& kernel;
    std::int32_t tile;
    void operator()(const HostGroup& group, std::int32_t i, double* partial) const { kernel(group, tile, i, partial); }
    void finish(const double* totals) const { kernel.finish(tile, totals); }
  };

  template <class Kernel>
  void run(std::int32_t first, std::int32_t last, const Kernel& kernel) {
    constexpr auto sums = static_cast<std::size_t>(Kernel::sums);
    const std::int32_t pieces = (last - first + piece - 1) / piece;
    partial_.assign(static_cast<std::size_t>(pieces) * sums, 0.0);
#pragma omp parallel for schedule(static) if (last - first > least)
    for (std::int32_t k = 0; k < pieces; ++k) {
      double own[sums + 1] = {};
      const std::int32_t begin = first + k * piece, end = last - begin < piece ? last : begin + piece;
      for (std::int32_t i = begin; i < end; ++i) kernel(HostGroup(), i, own);
      for (std::size_t s = 0; s < sums; ++s) partial_[static_cast<std::size_t>(k) * sums + s] = own[s];
    }
    if constexpr (sums > 0) {
      double totals[sums] = {};
      for (std::size_t k = 0; k < partial_.size(); ++k) totals[k % sums] += partial_[k];
      kernel.finish(totals);
    }
  }

  static constexpr std::int32_t piece = 1024;
  static constexpr std::int32_t least = 4096;  ///< below this size, threads cost more than they gain
  std::vector<double> partial_;
};

}  // namespace tetrawave::host
