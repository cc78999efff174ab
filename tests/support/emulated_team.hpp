// A team of warps that shares a block of elements, on the emulated GPU: as WarpTeam of cuda/launch/launch_blocks.cuh.
#pragma once

#include "support/emulated_gpu.hpp"
//
#include <cmath>
#include <vector>

#include "cuda/lane.cuh"

namespace tetrawave_tests {

template <int warps>
struct EmulatedTeam {
  static constexpr int size = warps;
  int warp;
  double* numbers;
  [[nodiscard]] int rank() const { return warp; }
  void sync() const { EmulatedThreads::active().meet(0, 32 * warps); }
  void put(int place, double number) { numbers[place * 32] = number; }
  [[nodiscard]] double get(int place) const { return numbers[place * 32]; }
  /// For any element of the block; all warps have the same.
  [[nodiscard]] bool some(double x) const {
    sync();
    EmulatedThreads& threads = EmulatedThreads::active();
    threads.own().given[0] = x;
    return threads.exchange(4, [&] {
      bool any = false;
      for (int i = 0; i < 32; ++i) any = any || threads.lane_of_warp(i).given[0] != 0;
      return any;
    });
  }
};

/// The emulated thread has no registers to spare.
struct TeamLane : tetrawave::cuda::ThreadLane<double> {
  [[nodiscard]] double load_again(const double* array, int rows, int row) const { return load(array, rows, row); }
};

/// The kernel by teams on `blocks` blocks of 32 elements.
template <class Terms, class Kernel>
void run_team(const Kernel& kernel, int blocks, bool backwards) {
  for (int block = 0; block < blocks; ++block) {
    std::vector<double> memory(static_cast<std::size_t>(Kernel::template inputs<Terms>()) * 32, std::nan(""));
    EmulatedThreads::run(32 * Kernel::team_size, backwards, [&](int thread) {
      EmulatedTeam<Kernel::team_size> team{thread / 32, memory.data() + thread % 32};
      kernel.template share<Terms>(TeamLane{{block, thread % 32}}, team);
    });
  }
}

}  // namespace tetrawave_tests
