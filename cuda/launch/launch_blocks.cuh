// Launches of block kernels: one thread an element, 128 threads (4 blocks of elements) a thread block; where that is
// too much for a thread, in tiles (cuda/tiles/launch_tiles.cuh).
#pragma once

#include <type_traits>

#include "cuda/lane.cuh"
#include "cuda/launch_kernel.cuh"
#ifdef TW_TILES
#include "cuda/tiles/launch_tiles.cuh"
#endif

namespace tetrawave::kernels {  // of several lists: a translation unit has the kernels of its own
struct SeriesFull3;
template <class S>
struct CentralUpdate;
template <class S>
struct PenalisedUpdate;
template <class S>
struct DfddUpdate;
template <class S>
struct DfddUpdateWithTerms;
template <class S>
struct UpwindStage;
template <class S>
struct KerrUpdate;
template <class Basis, class S>
constexpr bool keeps_sums();
template <class Basis>
constexpr int series_numbers();
}  // namespace tetrawave::kernels

namespace tetrawave::cuda {

/// Thread blocks, or teams, that shall fit on a multiprocessor, which bounds the registers of a thread; 0 leaves it to
/// the compiler. Chosen by measurement (decisions 016, 035, 096): more registers keep more loads in flight, fewer let
/// more warps run.
template <class Basis, class Kernel>
struct Resident {
  static constexpr int blocks = 0;
};
template <>
struct Resident<kernels::Full2, kernels::CentralUpdate<double>> {
  static constexpr int blocks = 1;
};
template <>
struct Resident<kernels::Mixed1, kernels::DfddUpdate<double>> {
  static constexpr int blocks = 6;
};
template <>
struct Resident<kernels::Full1, kernels::DfddUpdate<double>> {
  static constexpr int blocks = 4;
};
template <>
struct Resident<kernels::Full1, kernels::DfddUpdateWithTerms<double>> {
  static constexpr int blocks = 3;
};
template <>
struct Resident<kernels::Full2, kernels::DfddUpdateWithTerms<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::Mixed2, kernels::DfddUpdateWithTerms<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::Mixed2, kernels::DfddUpdate<double>> {
  static constexpr int blocks = 3;
};
template <>
struct Resident<kernels::Full2, kernels::DfddUpdate<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::SeriesFull3, kernels::DfddUpdate<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::SeriesFull3, kernels::DfddUpdate<float>> {
  static constexpr int blocks = 3;
};
template <>
struct Resident<kernels::Mixed2, kernels::UpwindStage<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::Full2, kernels::UpwindStage<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::Mixed1, kernels::KerrUpdate<double>> {
  static constexpr int blocks = 3;
};
template <>
struct Resident<kernels::SparseFull4, kernels::CentralUpdate<double>> {
  static constexpr int blocks = 4;
};
template <>
struct Resident<kernels::SparseFull4, kernels::CentralUpdate<float>> {
  static constexpr int blocks = 5;
};
template <>
struct Resident<kernels::SparseFull3, kernels::CentralUpdate<float>> {
  static constexpr int blocks = 8;
};
template <>
struct Resident<kernels::Mixed1, kernels::PenalisedUpdate<float>> {
  static constexpr int blocks = 6;
};
template <class S>
struct Resident<kernels::Full1, kernels::PenalisedUpdate<S>> {
  static constexpr int blocks = 4;
};
template <>
struct Resident<kernels::Full2, kernels::PenalisedUpdate<float>> {
  static constexpr int blocks = 3;
};
template <>
struct Resident<kernels::Full2, kernels::PenalisedUpdate<double>> {
  static constexpr int blocks = 2;
};
template <>
struct Resident<kernels::SparseFull3, kernels::PenalisedUpdate<double>> {
  static constexpr int blocks = 4;
};
template <>
struct Resident<kernels::SparseFull4, kernels::PenalisedUpdate<float>> {
  static constexpr int blocks = 6;
};
template <>
struct Resident<kernels::SparseFull3, kernels::UpwindStage<float>> {
  static constexpr int blocks = 4;
};
template <>
struct Resident<kernels::SparseFull4, kernels::UpwindStage<double>> {
  static constexpr int blocks = 2;
};

/// How many blocks before their turn the data of a kernel are fetched into the L2 cache, by measurement: it pays where
/// few threads are resident, and takes bandwidth where many are (decision 016).
template <class Basis, class Kernel>
struct Ahead {
  static constexpr int blocks = 0;
};
template <>
struct Ahead<kernels::Full2, kernels::CentralUpdate<double>> {
  static constexpr int blocks = 32;
};
template <>
struct Ahead<kernels::Full2, kernels::PenalisedUpdate<double>> {
  static constexpr int blocks = 16;
};
template <class Basis>
struct Ahead<Basis, kernels::DfddUpdate<double>> {
  static constexpr int blocks = Basis::dofs <= 30 ? 16 : 0;
};
template <class Basis>
struct Ahead<Basis, kernels::DfddUpdateWithTerms<double>> : Ahead<Basis, kernels::DfddUpdate<double>> {};
template <class Basis>
struct Ahead<Basis, kernels::UpwindStage<double>> {
  static constexpr int blocks = Basis::dofs <= 30 ? 16 : 0;
};

/// Whether a thread reads the neighbours of its element before earlier kernels are complete (kernels whose only
/// integers with sign are those): where registers allow, by measurement.
template <class Basis, class Kernel>
struct ConnectsFirst {
  static constexpr bool value = false;
};
template <class Basis, class S>
struct ConnectsFirst<Basis, kernels::CentralUpdate<S>> {
  static constexpr bool value = Basis::dofs <= 12;
};
template <class Basis, class S>
struct ConnectsFirst<Basis, kernels::PenalisedUpdate<S>> {
  static constexpr bool value = Basis::dofs <= 12 || (Basis::dofs == 30 && sizeof(S) == 8);
};

/// Of ThreadLane, by measurement.
template <class Basis, class Kernel>
struct GathersOf {
  static constexpr Gathers value = Gathers::global;
};
template <class S>
struct GathersOf<kernels::Mixed1, kernels::PenalisedUpdate<S>> {
  static constexpr Gathers value = Gathers::seen;
};
template <>
struct GathersOf<kernels::SparseFull4, kernels::UpwindStage<double>> {
  static constexpr Gathers value = Gathers::generic;
};

/// Numbers that a thread keeps in shared memory.
template <class Basis, class Kernel>
struct KeptBy {
  static constexpr int numbers = 0;
};
template <class Basis, class S>
struct KeptBy<Basis, kernels::UpwindStage<S>> {
  static constexpr int numbers = kernels::keeps_sums<Basis, S>() ? Basis::dofs : 0;
};
template <class Basis, class S>
struct KeptBy<Basis, kernels::DfddUpdate<S>> {
  static constexpr int numbers = kernels::series_numbers<Basis>();
};
template <class Basis, class Kernel>
constexpr int kept_bytes() {
  return KeptBy<Basis, Kernel>::numbers * threads_per_block * static_cast<int>(sizeof(typename Kernel::Scalar));
}

template <class Basis, class Kernel>
__global__ void __launch_bounds__(threads_per_block, Resident<Basis, Kernel>::blocks)
    run(const Kernel kernel, const Pass pass) {
  using Lane = ThreadLane<typename Kernel::Scalar, Ahead<Basis, Kernel>::blocks, GathersOf<Basis, Kernel>::value>;
  typename Kernel::Scalar* kept = nullptr;
  if constexpr (KeptBy<Basis, Kernel>::numbers > 0) {
    extern __shared__ double2 kept_memory[];
    kept = reinterpret_cast<typename Kernel::Scalar*>(kept_memory) + threadIdx.x;
  }
  const std::int64_t place = static_cast<std::int64_t>(blockIdx.x) * (threads_per_block / 32) + threadIdx.x / 32;
  const Lane lane{place < pass.count ? pass.at(place) : 0, static_cast<int>(threadIdx.x % 32),
                  pass.at(min(place + Lane::ahead, pass.count - 1)), kept};
  if constexpr (ConnectsFirst<Basis, Kernel>::value) {
    const ConnectedLane connected(lane, kernel.elements);
    await_earlier_kernels();
    if (place < pass.count) kernel.template run<Basis>(connected);
  } else {
    await_earlier_kernels();
    if (place < pass.count) kernel.template run<Basis>(lane);
  }
  let_next_kernel();
}

/// Warps of the teams of a kernel.
template <class Kernel>
constexpr int warps_of_team() {
  if constexpr (requires { Kernel::team_size; })
    return Kernel::team_size;
  else
    return 16;
}

/// The warps of a thread block, which share a block of elements; numbers in shared memory.
template <class S, int warps>
struct WarpTeam {
  static constexpr int size = warps;
  S* numbers;  ///< of this lane: 32 from one to the next
  __device__ __forceinline__ int rank() const { return static_cast<int>(threadIdx.x) / 32; }
  __device__ __forceinline__ void sync() const { __syncthreads(); }
  __device__ __forceinline__ void put(int place, S number) { numbers[place * 32] = number; }
  __device__ __forceinline__ S get(int place) const { return numbers[place * 32]; }
  __device__ __forceinline__ bool some(S x) const { return __syncthreads_or(x != 0 ? 1 : 0) != 0; }
};

template <class Basis, class Kernel>
__global__ void __launch_bounds__(32 * warps_of_team<Kernel>(), Resident<Basis, Kernel>::blocks)
    share(const __grid_constant__ Kernel kernel, const Pass pass) {
  using Scalar = typename Kernel::Scalar;
  extern __shared__ double2 team_memory[];
  const int place = static_cast<int>(threadIdx.x % 32);
  const std::int64_t block = pass.at(blockIdx.x);
  WarpTeam<Scalar, warps_of_team<Kernel>()> team{reinterpret_cast<Scalar*>(team_memory) + place};
  await_earlier_kernels();
  using Lane = ThreadLane<Scalar, 0, GathersOf<Basis, Kernel>::value>;
  kernel.template share<Basis>(Lane{block, place, block}, team);
  let_next_kernel();
}

template <class Program>
void allow_shared_memory(const Program& program, int bytes) {
  check(cudaFuncSetAttribute(program, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory of a kernel");
}

template <class Basis, class Kernel>
void launch_blocks_of(Stream& stream, const Kernel& kernel, const Pass& pass) {
#ifdef TW_TILES
  using Tiles = TilesOf<Basis, Kernel>;
  if constexpr (!std::is_void_v<typename Tiles::type>)
    if (launch_tiles<typename Tiles::type, Tiles::teams>(stream, kernel, pass)) return;
#endif
  using Terms = typename kernels::TermsOf<Basis, Kernel>::type;
  if constexpr (requires { kernel.template inputs<Terms>(); }) {
    const int bytes = kernel.template inputs<Terms>() * 32 * static_cast<int>(sizeof(typename Kernel::Scalar));
    const auto program = share<Terms, Kernel>;
    if (bytes > 48 * 1024) allow_shared_memory(program, bytes);  // more than any kernel has unasked
    launch_kernel(stream, program, static_cast<unsigned>(pass.count), 32 * warps_of_team<Kernel>(), bytes, kernel,
                  pass);
  } else {
    constexpr int blocks = threads_per_block / 32;
    const auto grid = static_cast<unsigned>((pass.count + blocks - 1) / blocks);
    constexpr int bytes = kept_bytes<Terms, Kernel>();
    const auto program = run<Terms, Kernel>;
    if constexpr (bytes > 0) allow_shared_memory(program, bytes);
    launch_kernel(stream, program, grid, threads_per_block, bytes, kernel, pass);
  }
}

template <class Kernel>
void launch_blocks_from_degree_3(Stream& stream, Space space, const Kernel& kernel, const Pass& pass);

// One of the two translation units of a list has the spaces from degree 3 on (TW_FROM_DEGREE_3 = 1), or the only one
// has all (2).
#if TW_FROM_DEGREE_3
template <class Kernel>
void launch_blocks_from_degree_3(Stream& stream, Space space, const Kernel& kernel, const Pass& pass) {
  kernels::with_basis_from_degree_3<TW_MOST_DEGREE>(
      space, [&]<class Basis>() { launch_blocks_of<Basis>(stream, kernel, pass); });
}
#define TW_INSTANTIATE(...) template void launch_blocks_from_degree_3(Stream&, Space, const __VA_ARGS__&, const Pass&);
#endif
#if TW_FROM_DEGREE_3 != 1
template <class Kernel>
void launch_blocks(Stream& stream, Space space, const Kernel& kernel, const Pass& pass) {
  if (kernels::is_from_degree_3(space)) return launch_blocks_from_degree_3(stream, space, kernel, pass);
  kernels::with_basis_of_degrees_1_2(space, [&]<class Basis>() { launch_blocks_of<Basis>(stream, kernel, pass); });
}
#undef TW_INSTANTIATE
#define TW_INSTANTIATE(...) template void launch_blocks(Stream&, Space, const __VA_ARGS__&, const Pass&);
#endif

}  // namespace tetrawave::cuda
