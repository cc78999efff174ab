// Memory shared by processes of one host, as GPUs share theirs by CUDA IPC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tetrawave::host {

class HostBackend;

/// Zeroed pages without a name in any file system; others map them through this process.
class SharedMemory {
 public:
  using Handle = std::array<std::int64_t, 3>;  ///< process, descriptor, bytes

  /// Throws UserError (out_of_memory). Of a device that only counts: a size.
  SharedMemory(HostBackend& backend, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] Handle handle() const;
  /// Does nothing: pages exist as long as any process has them mapped.
  void keep_for_ever() {}

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
  char* data_ = nullptr;
  std::shared_ptr<void> counted_;
};

/// Mapped memory of another process.
class MappedMemory {
 public:
  /// Throws UserError (unavailable) if the system does not allow the mapping.
  MappedMemory(const HostBackend& backend, const SharedMemory::Handle& handle);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;
  [[nodiscard]] char* data() const { return data_; }

 private:
  std::size_t bytes_ = 0;
  char* data_ = nullptr;
};

}  // namespace tetrawave::host
