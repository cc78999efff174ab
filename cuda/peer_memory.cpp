#include "cuda/peer_memory.hpp"

#include <cuda_runtime.h>

#include <cstring>

#include "base/error.hpp"
#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

namespace {

/// Memory is handed to other processes by whole pages of the GPU: what shares such a page with other arrays would begin
/// in the middle of what they map.
constexpr std::size_t gpu_page = std::size_t{2} << 20;

}  // namespace

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(PeerMemory::Handle));

PeerMemory::PeerMemory(const CudaBackend& backend, std::size_t bytes)
    : stream_(backend.stream()), bytes_(static_cast<std::int64_t>(bytes)) {
  void* memory = nullptr;
  const std::size_t size = (bytes + gpu_page - 1) / gpu_page * gpu_page + (bytes == 0 ? gpu_page : 0);
  check(cudaMalloc(&memory, size), "cudaMalloc of memory for peers");
  check(cudaMemsetAsync(memory, 0, size, static_cast<cudaStream_t>(stream_.handle())), "cudaMemsetAsync");
  stream_.synchronize();
  stream_.count_allocated(bytes_);
  data_ = static_cast<char*>(memory);
}

PeerMemory::~PeerMemory() {
  if (keeps_) return;
  stream_.count_allocated(-bytes_);
  cudaFree(data_);
}

PeerMemory::Handle PeerMemory::handle() const {
  cudaIpcMemHandle_t handle;
  check(cudaIpcGetMemHandle(&handle, data_), "cudaIpcGetMemHandle");
  Handle result{};
  std::memcpy(result.data(), &handle, sizeof handle);
  return result;
}

MappedPeer::MappedPeer(const CudaBackend& /*backend*/, const PeerMemory::Handle& handle) {
  cudaIpcMemHandle_t given;
  std::memcpy(&given, handle.data(), sizeof given);
  void* memory = nullptr;
  const cudaError_t code = cudaIpcOpenMemHandle(&memory, given, cudaIpcMemLazyEnablePeerAccess);
  if (code != cudaSuccess) {
    cudaGetLastError();  // not to be met by the next launch
    fail(ExitCode::unavailable, "this GPU cannot map the memory of another rank's: {} ({})", cudaGetErrorString(code),
         cudaGetErrorName(code));
  }
  data_ = static_cast<char*>(memory);
}

MappedPeer::~MappedPeer() { cudaIpcCloseMemHandle(data_); }

}  // namespace tetrawave::cuda
