// Team kernels: a thread block is a team.
#include "cuda/launch_kernel.cuh"
#include "cuda/signals.cuh"
#include "engines/lists/ports.hpp"
#include "engines/lists/teams.hpp"
#include "kernels/exchange/exchange_list.hpp"

namespace tetrawave::cuda {

namespace {

constexpr int members = 128;

class BlockTeam : public Signals {
 public:
  template <class S>
  static constexpr int lanes = 32;
  __device__ std::int64_t index() const { return blockIdx.x; }
  __device__ static std::int64_t rank() { return threadIdx.x; }
  __device__ static std::int64_t size() { return members; }
  __device__ static kernels::TwoSum sum(kernels::TwoSum value) {
    return reduce(value, [](kernels::TwoSum& a, const kernels::TwoSum& b) { a.add(b); });
  }
  __device__ static std::int64_t sum(std::int64_t value) {
    return reduce(value, [](std::int64_t& a, std::int64_t b) { a += b; });
  }
  __device__ static double max(double value) {
    return reduce(value, [](double& a, double b) { a = a > b ? a : b; });
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
