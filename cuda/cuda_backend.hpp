// A GPU as a device: one stream, fields resident, steps as CUDA graphs. Free of CUDA's own headers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/sweep.hpp"
#include "base/target.hpp"
#include "base/transport.hpp"
#include "base/types.hpp"
#include "cuda/peer_memory.hpp"

namespace tetrawave::comm {
class Communicator;
}
namespace tetrawave::march {
struct Route;
template <class S>
class Carrier;
}  // namespace tetrawave::march

namespace tetrawave::cuda {

/// The stream, its marks and graphs; every CUDA return code is checked (UserError unavailable, out_of_memory or
/// InternalError with device and call named).
class Stream {
 public:
  explicit Stream(int device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void* allocate(std::size_t bytes);  ///< zeroed device memory
  void release(void* memory, std::size_t bytes) noexcept;
  void* allocate_locked(std::size_t bytes);  ///< page-locked host memory
  void release_locked(void* memory) noexcept;
  void to_device(void* to, const void* from, std::size_t bytes);   ///< done when it returns
  void to_host(void* to, const void* from, std::size_t bytes);     ///< done when it returns
  void queue_copy(void* to, const void* from, std::size_t bytes);  ///< any direction, in stream order
  void queue_clear(void* memory, std::size_t bytes);               ///< device memory, in stream order
  /// Notes a place in the stream, and waits until the stream has passed it.
  void mark();
  void wait_for_mark();
  void synchronize();
  /// The front: a second stream of higher priority. `fork`: it waits for what is queued now; between `enter_front` and
  /// `leave_front` work is queued there; `join`: what is queued from then on waits for it.
  void fork();
  void enter_front() { in_front_ = true; }
  void leave_front() { in_front_ = false; }
  void join();
  /// What `work` queues becomes a CUDA graph instead of being run; `work` must not synchronise or allocate.
  [[nodiscard]] std::shared_ptr<void> record(const std::function<void()>& work);
  void replay(void* graph);  ///< queues a graph

  [[nodiscard]] std::int64_t allocated_bytes() const { return allocated_; }
  void count_allocated(std::int64_t bytes) { allocated_ += bytes; }  ///< memory that peers map, or less of it
  [[nodiscard]] std::int64_t free_bytes() const;
  [[nodiscard]] std::string device() const;
  /// cudaStream_t, for anything.
  [[nodiscard]] void* handle() {
    after_kernel_ = false;
    return in_front_ ? front_ : stream_;
  }
  /// For launch_kernel. The front has no early launches: their threads would take the places of those that run beside
  /// it while the front waits for other ranks.
  struct KernelPlace {
    void* stream;       ///< cudaStream_t
    bool after_kernel;  ///< of launch_kernel, and nothing since
  };
  [[nodiscard]] KernelPlace place_of_kernel() {
    if (in_front_) return {front_, false};
    return {stream_, std::exchange(after_kernel_, true)};
  }

 private:
  int device_;
  void* stream_ = nullptr;
  void* front_ = nullptr;
  void* mark_ = nullptr;
  void* forked_ = nullptr;
  void* joined_ = nullptr;
  bool in_front_ = false;
  bool after_kernel_ = false;
  std::int64_t allocated_ = 0;
};

/// Blocks of elements in the order of their passage.
struct Pass {
  std::int64_t first = 0;
  std::int64_t count = 0;
  Sweep sweep = Sweep::forwards;

  /// The block at place i.
  TW_FN std::int64_t at(std::int64_t i) const { return first + (sweep == Sweep::forwards ? i : count - 1 - i); }
};

/// Launches; defined in the .cu files for the kernels of engines/lists.
template <class Kernel>
void launch_blocks(Stream& stream, Space space, const Kernel& kernel, const Pass& pass);
template <class Kernel>
void launch_teams(Stream& stream, const Kernel& kernel, std::int64_t teams);

/// GPUs that this process sees; 0 without a driver.
int device_count() noexcept;
/// A GPU of this process.
struct DevicePlace {
  int number = 0;
  std::string name;
  std::string bus_id;  ///< of PCI
  std::string unit;    ///< differs between GPUs, and between slices of one
};
DevicePlace place_of(int device);

/// One line per GPU: name, memory, compute capability.
std::vector<std::string> describe_devices();

/// See march/elements/element_system.hpp for what a backend gives.
class CudaBackend {
 public:
  /// A block of elements is a warp.
  template <class S>
  static constexpr int lanes = 32;
  static constexpr bool is_host = false;
  static constexpr bool has_collectives = true;  ///< of NCCL, or an error that this build has none

  /// `threads`: CPU threads of this rank, for set-up.
  CudaBackend(int device, int threads, Transport transport = Transport::automatic)
      : stream_(std::make_shared<Stream>(device)), threads_(threads), transport_(transport) {}

  template <class T>
  class Buffer {
   public:
    Buffer(CudaBackend& backend, std::size_t count)
        : stream_(backend.stream_), size_(count), data_(static_cast<T*>(stream_->allocate(count * sizeof(T)))) {}
    Buffer(CudaBackend& backend, const std::vector<T>& values) : Buffer(backend, std::span<const T>(values)) {}
    Buffer(CudaBackend& backend, std::span<const T> values) : Buffer(backend, values.size()) { upload(values); }
    ~Buffer() {
      if (data_ != nullptr) stream_->release(data_, size_ * sizeof(T));
    }
    Buffer(Buffer&& other) noexcept
        : stream_(other.stream_), size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
    Buffer& operator=(Buffer&& other) noexcept {
      std::swap(stream_, other.stream_);
      std::swap(size_, other.size_);
      std::swap(data_, other.data_);
      return *this;
    }
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Values from place `at` on.
    void upload(const std::vector<T>& values, std::size_t at = 0) { upload(std::span<const T>(values), at); }
    void upload(std::span<const T> values, std::size_t at = 0) {
      stream_->to_device(data_ + at, values.data(), values.size() * sizeof(T));
    }
    /// Queued: sets all to zero.
    void clear() { stream_->queue_clear(data_, size_ * sizeof(T)); }
    [[nodiscard]] std::vector<T> download() const { return download(0, size_); }
    [[nodiscard]] std::vector<T> download(std::size_t at, std::size_t count) const {
      std::vector<T> values(count);
      stream_->to_host(values.data(), data_ + at, count * sizeof(T));
      return values;
    }

   private:
    std::shared_ptr<Stream> stream_;
    std::size_t size_;
    T* data_;
  };

  /// Page-locked host memory.
  template <class T>
  class Staging {
   public:
    Staging(CudaBackend& backend, std::size_t count)
        : stream_(backend.stream_), size_(count), data_(static_cast<T*>(stream_->allocate_locked(count * sizeof(T)))) {}
    ~Staging() {
      if (data_ != nullptr) stream_->release_locked(data_);
    }
    Staging(Staging&& other) noexcept
        : stream_(other.stream_), size_(other.size_), data_(std::exchange(other.data_, nullptr)) {}
    Staging& operator=(Staging&&) = delete;
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

   private:
    std::shared_ptr<Stream> stream_;
    std::size_t size_;
    T* data_;
  };
  using Program = std::shared_ptr<void>;
  using SharedMemory = PeerMemory;
  using MappedMemory = MappedPeer;

  template <class Kernel>
  void for_blocks(Space space, const Kernel& kernel, std::int64_t first, std::int64_t count,
                  Sweep sweep = Sweep::forwards) {
    if (count > 0) launch_blocks(*stream_, space, kernel, {first, count, sweep});
  }
  template <class Kernel>
  void for_teams(const Kernel& kernel, std::int64_t teams) {
    if (teams > 0) launch_teams(*stream_, kernel, teams);
  }
  template <class T>
  void copy(const Buffer<T>& from, Buffer<T>& to) {
    stream_->queue_copy(to.data(), from.data(), from.size() * sizeof(T));
  }
  template <class T>
  void to_staging(const Buffer<T>& from, Staging<T>& to) {
    stream_->queue_copy(to.data(), from.data(), from.size() * sizeof(T));
  }
  template <class T>
  void from_staging(const Staging<T>& from, Buffer<T>& to, std::size_t at) {
    stream_->queue_copy(to.data() + at, from.data(), from.size() * sizeof(T));
  }
  template <class T>
  void move(T* to, const T* from, std::size_t count) {
    stream_->queue_copy(to, from, count * sizeof(T));
  }
  void fork() { stream_->fork(); }
  template <class Work>
  void in_front(const Work& work) {
    stream_->enter_front();
    work();
    stream_->leave_front();
  }
  void join() { stream_->join(); }
  void mark() { stream_->mark(); }
  void wait_for_mark() { stream_->wait_for_mark(); }
  void synchronize() { stream_->synchronize(); }
  Program record(const std::function<void()>& work) { return stream_->record(work); }
  void replay(const Program& program) { stream_->replay(program.get()); }

  [[nodiscard]] std::int64_t allocated_bytes() const { return stream_->allocated_bytes(); }
  /// Free memory of the GPU; ranks that share it have taken theirs, or will find less.
  [[nodiscard]] std::int64_t free_bytes(int /*ranks*/) const { return stream_->free_bytes(); }
  [[nodiscard]] Stream& stream() const { return *stream_; }
  [[nodiscard]] std::string device() const { return stream_->device(); }
  [[nodiscard]] Stream& stream() { return *stream_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] Transport transport() const { return transport_; }
  /// For number types double and float (nccl_carrier.cpp).
  template <class S>
  std::unique_ptr<march::Carrier<S>> make_collective_carrier(const comm::Communicator& ranks,
                                                             const std::vector<march::Route>& routes);

 private:
  std::shared_ptr<Stream> stream_;
  int threads_;
  Transport transport_;
  std::shared_ptr<void> collectives_;  ///< of NCCL, once they are needed
};

}  // namespace tetrawave::cuda
