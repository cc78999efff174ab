// The host's memory and cores in the place of a GPU that assembles, by the kernels of GPUs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/parallel.hpp"
#include "fem/assembly/cpu_loops.hpp"
#include "fem/assembly/device_assembly.hpp"
#include "host/iteration_backend.hpp"

namespace tetrawave_tests {

/// A thread that is a group for kernels of assembly and of products.
struct AssemblyGroup : tetrawave::fem::device::OneThread {
  template <class N>
  [[nodiscard]] static N sum(N number) {
    return number;
  }
};

class HostAssemblyBackend : public tetrawave::host::IterationBackend {
 public:
  using IterationBackend::IterationBackend;

  template <class V>
  using Input = Buffer<V>;

  template <class Kernel>
  void rows(std::int32_t count, const Kernel& kernel) {
    if constexpr (Kernel::sums > 0)
      IterationBackend::rows(count, kernel);
    else
      tetrawave::for_each_index(static_cast<std::size_t>(count), threads(),
                                [&](std::size_t i) { kernel(AssemblyGroup(), static_cast<std::int32_t>(i), nullptr); });
  }
  template <class V>
  void clear(V* values, std::size_t count) {
    std::fill_n(values, count, V{});
  }
  static void scan(const std::int32_t* counts, std::int64_t* starts, std::int32_t count) {
    tetrawave::fem::device::CpuLoops::scan(counts, starts, count);
  }
  template <class V>
  [[nodiscard]] static V value_at(const V* place) {
    return *place;
  }
};

/// Counts assemblies.
class HostAssembly final : public tetrawave::fem::device::AssemblyOnDevice<HostAssemblyBackend> {
 public:
  using Base = tetrawave::fem::device::AssemblyOnDevice<HostAssemblyBackend>;
  template <class T>
  using Coefficients = std::span<const tetrawave::fem::EdgeCoefficients<T>>;

  template <class... Args>
  explicit HostAssembly(std::atomic<int>& count, const Args&... args)
      : Base(HostAssemblyBackend(1), args...), count_(count) {}

  tetrawave::fem::DeviceMatrix<double>& assemble(Coefficients<double> coefficients,
                                                 std::span<const double> factors) override {
    ++count_;
    return Base::assemble(coefficients, factors);
  }
  tetrawave::fem::DeviceMatrix<tetrawave::fem::Complex>& assemble(
      Coefficients<tetrawave::fem::Complex> coefficients, std::span<const tetrawave::fem::Complex> factors) override {
    ++count_;
    return Base::assemble(coefficients, factors);
  }

 private:
  std::atomic<int>& count_;
};

class HostAssemblyDevice final : public tetrawave::fem::AssemblyDevice {
 public:
  [[nodiscard]] std::unique_ptr<tetrawave::fem::DeviceAssembly> make(const tetrawave::fem::EdgeSpace& space,
                                                                     const tetrawave::fem::ElementShapes& shapes,
                                                                     std::span<const tetrawave::fem::ElementFace> walls,
                                                                     tetrawave::AssemblyMethod method) const override {
    return std::make_unique<HostAssembly>(count, space, shapes, walls, method);
  }
  [[nodiscard]] std::string name() const override { return "CPU threads"; }
  mutable std::atomic<int> count = 0;
};

}  // namespace tetrawave_tests
