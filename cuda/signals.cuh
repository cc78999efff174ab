// Flags between GPUs, as a thread block sees them (kernels/exchange/peer_traces.hpp), and the clock.
#pragma once

#include <cstdint>

namespace tetrawave::cuda {

class Signals {
 public:
  __device__ static bool leads() { return threadIdx.x == 0; }
  __device__ static void sync() { __syncthreads(); }
  __device__ static void publish(std::uint64_t* flag, std::uint64_t value) {
    __threadfence_system();
    asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
  }
  __device__ static void await(const std::uint64_t* flag, std::uint64_t value) {
    std::uint64_t seen = 0;
    do {
      asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(seen) : "l"(flag) : "memory");
    } while (seen < value);
    __threadfence_system();
  }
  __device__ static std::uint64_t count_up(std::uint64_t* counter) {
    __threadfence_system();
    const auto before = atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ULL);
    __threadfence_system();
    return before;
  }
  __device__ static std::int64_t nanoseconds() {
    std::int64_t now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }
};

}  // namespace tetrawave::cuda
