// Team kernels: a thread block is a team.
#include "cuda/launch_kernel.cuh"
#include "engines/lists/ports.hpp"
#include "engines/lists/teams.hpp"
#include "kernels/exchange/exchange_list.hpp"

namespace tetrawave::cuda {

namespace {

constexpr int members = 128;

class BlockTeam {
 public:
  template <class S>
  static constexpr int lanes = 32;
  __device__ std::int64_t index() const { return blockIdx.x; }
  __device__ static std::int64_t rank() { return threadIdx.x; }
  __device__ static std::int64_t size() { return members; }
  __device__ static bool leads() { return threadIdx.x == 0; }
  __device__ static void sync() { __syncthreads(); }
  __device__ static kernels::TwoSum sum(kernels::TwoSum value) {
    return reduce(value, [](kernels::TwoSum& a, const kernels::TwoSum& b) { a.add(b); });
  }
  __device__ static std::int64_t sum(std::int64_t value) {
    return reduce(value, [](std::int64_t& a, std::int64_t b) { a += b; });
  }
  __device__ static double max(double value) {
    return reduce(value, [](double& a, double b) { a = a > b ? a : b; });
  }
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

 private:
  /// Tree reduction in shared memory; every member gets the result.
  template <class T, class Join>
  __device__ static T reduce(const T& value, const Join& join) {
    __shared__ alignas(16) unsigned char memory[members * sizeof(T)];
    T* shared = reinterpret_cast<T*>(memory);
    __syncthreads();
    shared[threadIdx.x] = value;
    for (int half = members / 2; half > 0; half /= 2) {
      __syncthreads();
      if (static_cast<int>(threadIdx.x) < half) join(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
    return shared[0];
  }
};

template <class Kernel>
__global__ void __launch_bounds__(members) run_team(const __grid_constant__ Kernel kernel) {
  await_earlier_kernels();
  kernel(BlockTeam());
  let_next_kernel();
}

}  // namespace

template <class Kernel>
void launch_teams(Stream& stream, const Kernel& kernel, std::int64_t teams) {
  launch_kernel(stream, run_team<Kernel>, static_cast<unsigned>(teams), members, 0, kernel);
}

#define TW_INSTANTIATE(...) template void launch_teams(Stream&, const __VA_ARGS__&, std::int64_t);
TW_TEAM_KERNELS(TW_INSTANTIATE)
TW_EXCHANGE_KERNELS(TW_INSTANTIATE)
TW_PORT_KERNELS(TW_INSTANTIATE)

}  // namespace tetrawave::cuda
