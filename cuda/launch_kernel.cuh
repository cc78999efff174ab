// Launches of kernels that may be scheduled while the kernel before them ends (programmatic dependent launch), so that
// the latency of a launch is spent beside it.
#pragma once

#include <utility>

#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

/// In a kernel that `launch_kernel` launches, before it reads what earlier kernels write, or writes: it goes on when
/// all of them are complete.
__device__ __forceinline__ void await_earlier_kernels() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// At its end: the next kernel may be scheduled where all thread blocks have come here. (Before the work, its threads
/// would take places of this one, and those of a third kernel places of the next.)
__device__ __forceinline__ void let_next_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Whether a program is compiled with these instructions; so are all of a build, or none.
inline bool awaits_earlier_kernels(const void* program) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, program), "the attributes of a kernel");
  return attributes.ptxVersion >= 90;
}

template <class... Parameters>
void launch_kernel(Stream& stream, void (*program)(Parameters...), unsigned grid, unsigned threads, int shared_bytes,
                   const Parameters&... parameters) {
  static const bool awaits = awaits_earlier_kernels(reinterpret_cast<const void*>(program));
  const Stream::KernelPlace place = stream.place_of_kernel();
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = grid;
  how.blockDim = threads;
  how.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  how.stream = static_cast<cudaStream_t>(place.stream);
  how.attrs = &early;
  how.numAttrs = place.after_kernel && awaits ? 1 : 0;
  check(cudaLaunchKernelEx(&how, program, Parameters(parameters)...), "the launch of a kernel");
}

}  // namespace tetrawave::cuda
