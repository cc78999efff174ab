// The CPU as a device: aligned memory, OpenMP threads, SIMD lanes of the best instruction set.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/sweep.hpp"
#include "base/transport.hpp"
#include "host/busy_watch.hpp"
#include "host/isa.hpp"
#include "host/shared_memory.hpp"
#include "kernels/sample.hpp"
#include "march/interface/memory_count.hpp"

namespace tetrawave::host {

/// A team of one thread.
class HostTeam {
 public:
  explicit HostTeam(std::int64_t index) : index_(index) {}
  template <class S>
  static constexpr int lanes = 64 / static_cast<int>(sizeof(S));
  [[nodiscard]] std::int64_t index() const { return index_; }
  [[nodiscard]] static std::int64_t rank() { return 0; }
  [[nodiscard]] static std::int64_t size() { return 1; }
  [[nodiscard]] static bool leads() { return true; }
  static void sync() {}
  [[nodiscard]] static kernels::TwoSum sum(const kernels::TwoSum& value) { return value; }
  [[nodiscard]] static std::int64_t sum(std::int64_t value) { return value; }
  [[nodiscard]] static double max(double value) { return value; }
  static void publish(std::uint64_t* flag, std::uint64_t value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }
  /// Ranks may have to share a core.
  static void await(const std::uint64_t* flag, std::uint64_t value) {
    for (int k = 0; __atomic_load_n(flag, __ATOMIC_ACQUIRE) < value; ++k)
      if (k > 1000) sched_yield();
  }
  static std::uint64_t count_up(std::uint64_t* counter) {
    return __atomic_fetch_add(counter, std::uint64_t{1}, __ATOMIC_ACQ_REL);
  }
  [[nodiscard]] static std::int64_t nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

 private:
  std::int64_t index_;
};

/// Runs a team kernel; defined in host/isa/teams.cpp.
template <class Kernel>
void run_teams(const Kernel& kernel, std::int64_t teams);

/// See march/elements/element_system.hpp for the interface of a backend.
///
/// It can also be a device that only counts: its arrays have sizes and no memory, its kernels do nothing. An engine
/// made and started on it allocates, in the same order, what it would on a device of these traits, so that the arrays
/// of a scheme are declared once, where they are made, and its templates are compiled once for both.
class HostBackend {
 public:
  template <class S>
  static constexpr int lanes = 64 / static_cast<int>(sizeof(S));
  static constexpr bool is_host = true;  ///< device memory is host memory

  static constexpr bool has_collectives = false;
  using SharedMemory = host::SharedMemory;
  using MappedMemory = host::MappedMemory;

  /// `threads` of this rank, at least 1.
  explicit HostBackend(int threads, Transport transport = Transport::automatic);
  /// A device that only counts; `threads` of this rank, for set-up. Traces travel as where they take most memory.
  HostBackend(const march::BackendTraits& counted, int threads);

  [[nodiscard]] bool only_counts() const { return counted_.has_value(); }
  /// Lanes of a block.
  template <class S>
  [[nodiscard]] int lanes_of_block() const {
    if (!counted_) return lanes<S>;
    return sizeof(S) == sizeof(float) ? counted_->lanes_single : counted_->lanes_double;
  }
  [[nodiscard]] march::MemoryCount& count() { return *count_; }

  /// Zeroed memory, aligned to 64 bytes, first touched by the threads that will use it.
  template <class T>
  class Buffer {
   public:
    Buffer(HostBackend& backend, std::size_t count) : Buffer(backend, count, !backend.only_counts(), true) {}
    Buffer(HostBackend& backend, const std::vector<T>& values) : Buffer(backend, std::span<const T>(values)) {}
    Buffer(HostBackend& backend, std::span<const T> values) : Buffer(backend, values.size()) { upload(values); }
    /// Of a device that only counts: an address for views, where nothing is.
    [[nodiscard]] T* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Values from place `at` on.
    void upload(const std::vector<T>& values, std::size_t at = 0) { upload(std::span<const T>(values), at); }
    void upload(std::span<const T> values, std::size_t at = 0) {
      ensure(at + values.size() <= size_, "an upload fits its array");
      held().count->upload(static_cast<std::int64_t>(values.size() * sizeof(T)));
      if (held().exists) std::copy(values.begin(), values.end(), data_.get() + at);
    }
    /// Sets all to zero.
    void clear() {
      if (held().exists) HostBackend::clear(data_.get(), size_ * sizeof(T));
    }
    [[nodiscard]] std::vector<T> download() const { return download(0, size_); }
    [[nodiscard]] std::vector<T> download(std::size_t at, std::size_t count) const {
      if (!held().exists) return std::vector<T>(count);
      return std::vector<T>(data_.get() + at, data_.get() + at + count);
    }

   protected:
    Buffer(HostBackend& backend, std::size_t count, bool exists, bool counts)
        : size_(count),
          data_(static_cast<T*>(exists ? allocate(count * sizeof(T)) : nowhere()),
                Held{exists, counts ? static_cast<std::int64_t>(count * sizeof(T)) : 0, backend.count_}) {
      backend.count_->add(held().bytes);
    }

   private:
    struct Held {
      bool exists;
      std::int64_t bytes;
      std::shared_ptr<march::MemoryCount> count;
      void operator()(T* memory) const {
        count->now -= bytes;
        if (exists) ::operator delete (memory, std::align_val_t{64});
      }
    };
    [[nodiscard]] const Held& held() const { return data_.get_deleter(); }
    std::size_t size_;
    std::unique_ptr<T, Held> data_;
  };
  /// Exists on a device that only counts, too: ranks add up small ones. There those of a GPU are page-locked memory of
  /// the host, which is not counted.
  template <class T>
  class Staging : public Buffer<T> {
   public:
    Staging(HostBackend& backend, std::size_t count)
        : Buffer<T>(backend, count, true, !backend.counted_ || backend.counted_->on_host) {}
  };
  using Program = std::function<void()>;

  /// Always forwards.
  template <class Kernel>
  void for_blocks(Space space, const Kernel& kernel, std::int64_t first, std::int64_t count,
                  Sweep /*sweep*/ = Sweep::forwards) {
    if (only_counts()) return;
    const BusyWatch::Region region(*watch_);
    run_blocks(isa_, space, kernel, first, count);
  }
  template <class Kernel>
  void for_teams(const Kernel& kernel, std::int64_t teams) {
    if (only_counts()) return;
    const BusyWatch::Region region(*watch_);
    run_teams(kernel, teams);
  }
  template <class T>
  void copy(const Buffer<T>& from, Buffer<T>& to) {
    if (only_counts()) return;
    std::copy(from.data(), from.data() + from.size(), to.data());
  }
  template <class T>
  void to_staging(const Buffer<T>& from, Buffer<T>& to) {
    copy(from, to);
  }
  template <class T>
  void from_staging(const Buffer<T>& from, Buffer<T>& to, std::size_t at) {
    if (only_counts()) return;
    std::copy(from.data(), from.data() + from.size(), to.data() + at);
  }
  template <class T>
  void move(T* to, const T* from, std::size_t count) {
    if (only_counts()) return;
    std::copy(from, from + count, to);
  }
  void fork() {}
  template <class Work>
  void in_front(const Work& work) {
    work();
  }
  void join() {}
  void mark() {}
  void wait_for_mark() {}
  void synchronize() {}
  Program record(Program work) { return work; }
  void replay(const Program& program) { program(); }

  [[nodiscard]] std::int64_t allocated_bytes() const { return count_->now; }
  /// Memory available without swapping, divided among `ranks` of this node.
  [[nodiscard]] static std::int64_t free_bytes(int ranks);
  [[nodiscard]] std::string device() const;
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] Transport transport() const { return transport_; }

 private:
  static void* allocate(std::size_t bytes);
  static void clear(void* memory, std::size_t bytes);
  static void* nowhere();
  Isa isa_;
  int threads_;
  Transport transport_;
  std::shared_ptr<BusyWatch> watch_;
  std::shared_ptr<march::MemoryCount> count_ = std::make_shared<march::MemoryCount>();
  std::optional<march::BackendTraits> counted_;  ///< of a device that only counts
};

}  // namespace tetrawave::host
