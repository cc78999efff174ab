// A device that only counts: its arrays have sizes and no memory, its kernels do nothing. An engine made and started on
// it allocates, in the same order, what it would on a device of the same layout, so that the arrays of a scheme are
// declared once, where they are made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/transport.hpp"
#include "base/types.hpp"

namespace tetrawave::march {

/// Memory layout of a backend.
struct BackendTraits {
  int lanes_double = 8;
  int lanes_single = 16;
  bool on_host = true;  ///< device memory is host memory
};

/// Bytes so far. Peaks and sums may be reset between phases of a run.
struct MemoryCount {
  std::int64_t now = 0;
  std::int64_t peak = 0;
  std::int64_t uploaded = 0;        ///< sum over all uploads
  std::int64_t largest_upload = 0;  ///< the host holds it at least once
  void add(std::int64_t bytes) {
    now += bytes;
    peak = std::max(peak, now);
  }
};

class CountingBackend {
 public:
  static constexpr bool is_host = true;
  static constexpr bool has_collectives = false;
  static constexpr bool only_counts = true;  ///< nothing travels between ranks

  /// `threads` of this rank, for set-up.
  CountingBackend(const BackendTraits& traits, int threads) : traits_(traits), threads_(threads) {}

  [[nodiscard]] const BackendTraits& traits() const { return traits_; }
  [[nodiscard]] MemoryCount& count() { return *count_; }

  template <class T>
  class Buffer {
   public:
    Buffer(CountingBackend& backend, std::size_t size) : size_(size), count_(backend.count_) {
      const auto bytes = static_cast<std::int64_t>(size * sizeof(T));
      count_->add(bytes);
      held_ = std::shared_ptr<void>(nullptr, [count = count_, bytes](void*) { count->now -= bytes; });
    }
    Buffer(CountingBackend& backend, const std::vector<T>& values) : Buffer(backend, values.size()) { upload(values); }
    /// An address for views; nothing is there.
    [[nodiscard]] T* data() const { return reinterpret_cast<T*>(alignof(std::max_align_t)); }
    [[nodiscard]] std::size_t size() const { return size_; }
    void upload(const std::vector<T>& values, std::size_t at = 0) {
      ensure(at + values.size() <= size_, "an upload fits its array");
      const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
      count_->uploaded += bytes;
      count_->largest_upload = std::max(count_->largest_upload, bytes);
    }
    [[nodiscard]] std::vector<T> download() const { return download(0, size_); }
    [[nodiscard]] std::vector<T> download(std::size_t /*at*/, std::size_t count) const { return std::vector<T>(count); }

   private:
    std::size_t size_;
    std::shared_ptr<MemoryCount> count_;
    std::shared_ptr<void> held_;
  };

  /// On a GPU page-locked host memory, which is not counted. Ranks add up small ones through the host: they exist.
  template <class T>
  class Staging {
   public:
    Staging(CountingBackend& backend, std::size_t size) : values_(size) {
      if (backend.traits_.on_host) counted_.emplace_back(backend, size);
    }
    [[nodiscard]] T* data() { return values_.data(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }

   private:
    std::vector<T> values_;
    std::vector<Buffer<T>> counted_;
  };

  struct SharedMemory {
    using Handle = std::array<std::int64_t, 1>;
    Buffer<char> bytes;
    SharedMemory(CountingBackend& backend, std::size_t size) : bytes(backend, size) {}
    [[nodiscard]] char* data() const { return bytes.data(); }
    [[nodiscard]] static Handle handle() { return {}; }
    void keep_for_ever() {}
  };
  struct MappedMemory {
    MappedMemory(CountingBackend& /*backend*/, const SharedMemory::Handle& /*handle*/) {}
    [[nodiscard]] static char* data() { return nullptr; }
  };
  using Program = std::function<void()>;

  template <class Kernel>
  void for_blocks(Space /*space*/, const Kernel& /*kernel*/, std::int64_t /*first*/, std::int64_t /*count*/) {}
  template <class Kernel>
  void for_teams(const Kernel& /*kernel*/, std::int64_t /*teams*/) {}
  template <class T>
  void copy(const Buffer<T>& /*from*/, Buffer<T>& /*to*/) {}
  template <class T>
  void to_staging(const Buffer<T>& /*from*/, Staging<T>& /*to*/) {}
  template <class T>
  void from_staging(const Staging<T>& /*from*/, Buffer<T>& /*to*/, std::size_t /*at*/) {}
  template <class T>
  void move(T* /*to*/, const T* /*from*/, std::size_t /*count*/) {}
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
  [[nodiscard]] static std::string device() { return "memory only"; }
  [[nodiscard]] int threads() const { return threads_; }
  /// On a GPU the one that takes most memory.
  [[nodiscard]] Transport transport() const { return traits_.on_host ? Transport::mpi : Transport::ipc; }

 private:
  BackendTraits traits_;
  int threads_;
  std::shared_ptr<MemoryCount> count_ = std::make_shared<MemoryCount>();
};

/// Lanes of a block; see element_system.hpp.
template <class S>
int lanes_of(const CountingBackend& backend) {
  return sizeof(S) == sizeof(float) ? backend.traits().lanes_single : backend.traits().lanes_double;
}

}  // namespace tetrawave::march
