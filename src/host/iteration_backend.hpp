// What iterations of sparse systems need of the CPU in addition to time stepping (fem/device/device_system.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fem/device/rank_kernels.hpp"
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
  template <class Kernel, class N>
  void split_rows(const Kernel& kernel, const fem::device::SplitLaunch<N>& split) {
    const HostTeam team(0);
    Sums<Kernel> totals = sum_of<Kernel>(
        0, split.inner_count, [&](std::int32_t i, double* partial) { kernel(HostGroup(), split.inner[i], partial); });
    split.flags.begin(team, true);
    const Sums<Kernel> border = sum_of<Kernel>(0, split.border_count, [&](std::int32_t i, double* partial) {
      kernel(HostGroup(), split.border[i], partial);
      split.messages.send(i);
    });
    split.flags.end(team, 1);
    for (std::size_t s = 0; s < Kernel::sums; ++s) totals[s] += border[s];
    finish(kernel, totals);
  }
  template <class Kernel>
  void levels(const std::vector<std::int32_t>& first, const Kernel& kernel, const std::int32_t* /*first*/) {
    for (std::size_t level = 0; level + 1 < first.size(); ++level) run(first[level], first[level + 1], kernel);
  }

 private:
  template <class Kernel>
  using Sums = std::array<double, Kernel::sums + 1>;

  template <class Kernel>
  void run(std::int32_t first, std::int32_t last, const Kernel& kernel) {
    finish(kernel,
           sum_of<Kernel>(first, last, [&](std::int32_t i, double* partial) { kernel(HostGroup(), i, partial); }));
  }
  /// work(i, sums) for [first, last)
  template <class Kernel, class Work>
  Sums<Kernel> sum_of(std::int32_t first, std::int32_t last, const Work& work) {
    constexpr auto sums = static_cast<std::size_t>(Kernel::sums);
    const std::int32_t pieces = (last - first + piece - 1) / piece;
    partial_.assign(static_cast<std::size_t>(pieces) * sums, 0.0);
#pragma omp parallel for schedule(static) if (last - first > least)
    for (std::int32_t k = 0; k < pieces; ++k) {
      Sums<Kernel> own{};
      const std::int32_t begin = first + k * piece, end = last - begin < piece ? last : begin + piece;
      for (std::int32_t i = begin; i < end; ++i) work(i, own.data());
      for (std::size_t s = 0; s < sums; ++s) partial_[static_cast<std::size_t>(k) * sums + s] = own[s];
    }
    Sums<Kernel> totals{};
    if constexpr (sums > 0)
      for (std::size_t k = 0; k < partial_.size(); ++k) totals[k % sums] += partial_[k];
    return totals;
  }
  /// Of a kernel whose sums go to other ranks, with the team that sends them.
  template <class Kernel>
  static void finish([[maybe_unused]] const Kernel& kernel, [[maybe_unused]] const Sums<Kernel>& totals) {
    if constexpr (requires { kernel.finish(HostTeam(0), totals.data()); })
      kernel.finish(HostTeam(0), totals.data());
    else if constexpr (Kernel::sums > 0)
      kernel.finish(totals.data());
  }

  static constexpr std::int32_t piece = 1024;
  static constexpr std::int32_t least = 4096;  ///< below this size, threads cost more than they gain
  std::vector<double> partial_;
};

}  // namespace tetrawave::host
