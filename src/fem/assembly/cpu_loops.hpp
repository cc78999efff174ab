// The CPU as a device for the kernels of the assembly: arrays of the host, a range of indices for each thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "base/parallel.hpp"
#include "base/unset_vector.hpp"

namespace tetrawave::fem::device {

/// A group of one thread of a CPU.
struct OneThread {
  static constexpr int size = 1;
  [[nodiscard]] static constexpr int lane() { return 0; }
  static void sync() {}
  static void add(double* to, double value) {
    std::atomic_ref<double>(*to).fetch_add(value, std::memory_order_relaxed);
  }
  static std::int32_t count_up(std::int32_t* counter) {
    return std::atomic_ref<std::int32_t>(*counter).fetch_add(1, std::memory_order_relaxed);
  }
};

class CpuLoops {
 public:
  explicit CpuLoops(int threads) : threads_(threads) {}

  /// Not cleared: pages are first written by the threads that fill them.
  template <class V>
  class Buffer : public UnsetVector<V> {
   public:
    Buffer(CpuLoops& loops, std::size_t count)
        : UnsetVector<V>(count), loops_(loops), bytes_(static_cast<std::int64_t>(count * sizeof(V))) {
      loops_.allocated_ += bytes_;
    }
    ~Buffer() { loops_.allocated_ -= bytes_; }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

   private:
    CpuLoops& loops_;
    std::int64_t bytes_;
  };
  /// What the host has, where it is; it must outlive this.
  template <class V>
  class Input {
   public:
    Input(CpuLoops&, std::span<const V> values) : values_(values) {}
    [[nodiscard]] const V* data() const { return values_.data(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }

   private:
    std::span<const V> values_;
  };

  template <class Kernel>
  void rows(std::int32_t count, const Kernel& kernel) {
    for_each_index(static_cast<std::size_t>(count), threads_,
                   [&kernel](std::size_t i) { kernel(OneThread(), static_cast<std::int32_t>(i), nullptr); });
  }
  template <class V>
  void clear(V* values, std::size_t count) {
    for_ranges(count, count_ranges(count, threads_), [&](std::size_t, std::size_t first, std::size_t last) {
      std::fill(values + first, values + last, V{});
    });
  }
  static void scan(const std::int32_t* counts, std::int64_t* starts, std::int32_t count) {
    starts[0] = 0;
    for (std::int32_t i = 0; i < count; ++i) starts[i + 1] = starts[i] + counts[i];
  }
  template <class V>
  [[nodiscard]] static V value_at(const V* place) {
    return *place;
  }
  static void synchronize() {}
  [[nodiscard]] std::int64_t allocated_bytes() const { return allocated_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  int threads_;
  std::int64_t allocated_ = 0;
};

}  // namespace tetrawave::fem::device
