// Memory of a GPU that other processes of the host map (CUDA IPC). Free of CUDA's own headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tetrawave::cuda {

class CudaBackend;
class Stream;

/// Zeroed memory of this rank's GPU, an allocation of its own.
class PeerMemory {
 public:
  using Handle = std::array<std::int64_t, 8>;  ///< the bytes of a cudaIpcMemHandle_t

  PeerMemory(const CudaBackend& backend, std::size_t bytes);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  [[nodiscard]] char* data() const { return data_; }
  /// Throws InternalError where the system does not allow IPC.
  [[nodiscard]] Handle handle() const;
  /// Peers may have it mapped still: it is left to the end of the process.
  void keep_for_ever() { keeps_ = true; }

 private:
  Stream& stream_;
  std::int64_t bytes_;
  char* data_ = nullptr;
  bool keeps_ = false;
};

/// Another rank's PeerMemory, reached by this GPU's own loads and stores.
class MappedPeer {
 public:
  /// Throws UserError (unavailable).
  MappedPeer(const CudaBackend& backend, const PeerMemory::Handle& handle);
  ~MappedPeer();
  MappedPeer(const MappedPeer&) = delete;
  MappedPeer& operator=(const MappedPeer&) = delete;
  [[nodiscard]] char* data() const { return data_; }

 private:
  char* data_ = nullptr;
};

}  // namespace tetrawave::cuda
