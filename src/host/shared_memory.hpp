// Memory that processes of one host share, as GPUs share theirs by CUDA IPC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tetrawave::host {

class HostBackend;

/// Zeroed pages without a name in any file system; others map them through this process.
class SharedMemory {
 public:
  using Handle = std::array<std::int64_t, 3>;  ///< process, descriptor, bytes

  /// Throws UserError (out_of_memory).
  SharedMemory(const HostBackend& backend, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] Handle handle() const;
  /// Does nothing: pages live as long as anybody has them mapped.
  void keep_for_ever() {}

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
  char* data_ = nullptr;
};

/// Another process's shared memory.
class MappedMemory {
 public:
  /// Throws UserError (unavailable) when the system does not let this process map it.
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
