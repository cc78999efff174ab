// Sums over pairs of points with the sources in tiles of shared memory, a thread for one or two points.
#include <algorithm>

#include "cuda/check.hpp"
#include "cuda/pairs/lane.cuh"
#include "cuda/pairs/launch.hpp"
#include "kernels/pairs/green.hpp"

namespace tetrawave::cuda {

namespace {

constexpr int largest_tile = 64;  // of sources
constexpr int tile_of(int sets) { return sets <= 4 ? largest_tile : largest_tile / 2; }

/// Of double precision with few sets two, which share what they load of the sources.
template <class S>
constexpr int points_of_thread(int sets) {
  return sizeof(S) == 8 && sets <= 2 ? 2 : 1;
}

/// The tile's sources with their places on four numbers, so that they and their currents are loaded in wide words.
template <class S, int sets>
__device__ __forceinline__ void load_tile(S* to, const double* sources, int stride, int first_set, int count) {
  constexpr int own = 3 + 12 * sets, padded = 4 + 12 * sets;
  for (int i = static_cast<int>(threadIdx.x); i < count * own; i += pair_threads) {
    const int source = i / own, number = i % own;
    const double* from = sources + static_cast<std::int64_t>(source) * stride;
    to[source * padded + (number < 3 ? number : number + 1)] =
        static_cast<S>(__ldg(from + (number < 3 ? number : number + 12 * first_set)));
  }
}

template <class S, int sets>
__global__ void __launch_bounds__(pair_threads) sum_tiles(const DevicePoints<S> points, const DeviceSources sources,
                                                          int first_set, std::int64_t range, S* partial) {
  using Kernel = kernels::BoundaryRadiation<S, sets>;
  using Lane = PairLane<S>;
  constexpr int targets = points_of_thread<S>(sets);
  constexpr int padded = 4 + 12 * sets, tile = tile_of(sets);
  __shared__ __align__(16) S shared[tile * padded];
  const std::int64_t first_point = static_cast<std::int64_t>(blockIdx.x) * (pair_threads * targets) + threadIdx.x;
  const auto lane_of = [&](int t) { return Lane{first_point + t * pair_threads, points.stride}; };
  using Frame = typename Kernel::template Frame<Lane>;
  Frame frames[targets];
#pragma unroll
  for (int t = 0; t < targets; ++t) frames[t] = Frame(lane_of(t), points.rows);
  S sums[targets][4 * sets] = {};
  const std::int64_t begin = blockIdx.y * range;
  const std::int64_t end = min(begin + range, sources.count);
  const int stride = Kernel::source_size(sources.sets);
  for (std::int64_t from = begin; from < end; from += tile) {
    const int count = static_cast<int>(min(end - from, static_cast<std::int64_t>(tile)));
    __syncthreads();
    load_tile<S, sets>(shared, sources.numbers + from * stride, stride, first_set, count);
    __syncthreads();
#pragma unroll(targets == 2 ? 1 : 2)
    for (int s = 0; s < count; ++s) {
      const S* source = shared + s * padded;
#pragma unroll
      for (int t = 0; t < targets; ++t) {
        const auto pair = Kernel::template pair<Lane>(lane_of(t), frames[t], source);
        Kernel::template add_all<Lane>(Kernel::template rows<Lane>(frames[t], pair, source), source + 4, sums[t]);
      }
    }
  }
#pragma unroll
  for (int t = 0; t < targets; ++t)
#pragma unroll
    for (int i = 0; i < 4 * sets; ++i)
      partial[(blockIdx.y * 4 * sets + i) * points.stride + first_point + t * pair_threads] = sums[t][i];
}

template <class S>
__global__ void join_ranges(const DevicePoints<S> points, const S* partial, int first_set, int together, int sets,
                            std::int64_t ranges, double* sums) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t point = i / (4 * together), row = i % (4 * together);
  if (point >= points.count) return;
  double sum = 0;
  for (std::int64_t range = 0; range < ranges; ++range)
    sum += static_cast<double>(partial[(range * 4 * together + row) * points.stride + point]);
  sums[(point * sets + first_set) * 4 + row] = sum;
}

template <class S, int sets>
void launch_tiles(Stream& stream, const DevicePoints<S>& points, const DeviceSources& sources, int first_set,
                  std::int64_t ranges, S* partial) {
  const std::int64_t tiles = (sources.count + largest_tile - 1) / largest_tile;
  const std::int64_t range = (tiles + ranges - 1) / ranges * largest_tile;
  const dim3 grid(static_cast<unsigned>(points.stride / (pair_threads * points_of_thread<S>(sets))),
                  static_cast<unsigned>(ranges));
  sum_tiles<S, sets><<<grid, pair_threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(points, sources, first_set,
                                                                                            range, partial);
  check(cudaGetLastError(), "the launch of sums over pairs");
}

}  // namespace

template <class S>
std::int64_t count_ranges_of_sources(const DevicePoints<S>& points, std::int64_t sources, int sets,
                                     int multiprocessors) {
  constexpr std::int64_t blocks_of_multiprocessor = 96;  // several waves, of which the last may be in part empty
  constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
  const std::int64_t blocks = points.stride / (pair_threads * points_of_thread<S>(sets));
  const std::int64_t wanted = (blocks_of_multiprocessor * multiprocessors + blocks - 1) / blocks;
  const std::int64_t fitting = most_bytes / (4 * sets * points.stride * static_cast<std::int64_t>(sizeof(S)));
  const std::int64_t tiles = (sources + largest_tile - 1) / largest_tile;
  return std::max<std::int64_t>(1, std::min({wanted, fitting, tiles}));
}

template <class S>
void launch_tiles_of_pairs(Stream& stream, const DevicePoints<S>& points, const DeviceSources& sources, int first_set,
                           int together, std::int64_t ranges, S* partial) {
  using Launch = void (*)(Stream&, const DevicePoints<S>&, const DeviceSources&, int, std::int64_t, S*);
  static constexpr Launch launches[most_sets_at_once] = {
      launch_tiles<S, 1>, launch_tiles<S, 2>, launch_tiles<S, 3>, launch_tiles<S, 4>, launch_tiles<S, 5>,
      launch_tiles<S, 6>, launch_tiles<S, 7>, launch_tiles<S, 8>, launch_tiles<S, 9>, launch_tiles<S, 10>};
  launches[together - 1](stream, points, sources, first_set, ranges, partial);
}

template <class S>
void launch_join_of_ranges(Stream& stream, const DevicePoints<S>& points, const S* partial, int first_set, int together,
                           int sets, std::int64_t ranges, double* sums) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((points.count * 4 * together + threads - 1) / threads);
  join_ranges<<<blocks, threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(points, partial, first_set, together,
                                                                                  sets, ranges, sums);
  check(cudaGetLastError(), "the launch of the join of partial sums");
}

#define TW_INSTANTIATE(S)                                                                                            \
  template std::int64_t count_ranges_of_sources(const DevicePoints<S>&, std::int64_t, int, int);                     \
  template void launch_tiles_of_pairs(Stream&, const DevicePoints<S>&, const DeviceSources&, int, int, std::int64_t, \
                                      S*);                                                                           \
  template void launch_join_of_ranges(Stream&, const DevicePoints<S>&, const S*, int, int, int, std::int64_t, double*);
TW_INSTANTIATE(double)
TW_INSTANTIATE(float)

int multiprocessors_of(int device) {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return count;
}

}  // namespace tetrawave::cuda
