// Sums over pairs of points as the paper on FE-IIEE maps them (J. M. Badia et al., IEEE Access 8 (2020), doi
// 10.1109/ACCESS.2020.2993103, III B and algorithm 1): a launch for a face of S', a thread for a face of S, which goes
// through its points, the sources and the right-hand sides, and adds to sums in global memory.
#include "cuda/check.hpp"
#include "cuda/pairs/lane.cuh"
#include "cuda/pairs/launch.hpp"
#include "kernels/pairs/green.hpp"

namespace tetrawave::cuda {

namespace {

template <bool currents_shared>
__global__ void sum_face(const DevicePoints<double> points, const double* sources, int count, int sets, int targets,
                         double* sums) {
  using Kernel = kernels::BoundaryRadiation<double, 1>;
  using Lane = PairLane<double>;
  extern __shared__ double shared[];
  const int size = Kernel::source_size(sets);
  const double* from = sources;
  if constexpr (currents_shared) {
    for (int i = static_cast<int>(threadIdx.x); i < count * size; i += static_cast<int>(blockDim.x))
      shared[i] = sources[i];
    __syncthreads();
    from = shared;
  }
  const std::int64_t face = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (face * targets >= points.count) return;
  for (std::int64_t point = face * targets; point < (face + 1) * targets; ++point) {
    const Lane lane{point, points.stride};
    const typename Kernel::template Frame<Lane> frame(lane, points.rows);
    for (int s = 0; s < count; ++s) {
      const double* source = from + s * size;
      const auto pair = Kernel::template pair<Lane>(lane, frame, source);
      const auto rows = Kernel::template rows<Lane>(frame, pair, source);
      for (int set = 0; set < sets; ++set)
        Kernel::template add<Lane>(rows, source + 3 + 12 * set, sums + (point * sets + set) * 4);
    }
  }
}

}  // namespace

void launch_face_of_sources(Stream& stream, const DevicePoints<double>& points, const DeviceSources& sources,
                            std::int64_t first, std::int64_t count, std::int64_t targets, int threads,
                            bool currents_shared, double* sums) {
  const std::int64_t size = kernels::BoundaryRadiation<double, 1>::source_size(sources.sets);
  const auto faces = (points.count + targets - 1) / targets;
  const auto blocks = static_cast<unsigned>((faces + threads - 1) / threads);
  const auto bytes = currents_shared ? static_cast<std::size_t>(count * size) * sizeof(double) : 0;
  const auto kernel = currents_shared ? sum_face<true> : sum_face<false>;
  constexpr std::size_t without_asking = 48 << 10;
  if (bytes > without_asking)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
          "shared memory for the currents of a face");
  kernel<<<blocks, static_cast<unsigned>(threads), bytes, static_cast<cudaStream_t>(stream.handle())>>>(
      points, sources.numbers + first * size, static_cast<int>(count), sources.sets, static_cast<int>(targets), sums);
  check(cudaGetLastError(), "the launch of sums over pairs of a face");
}

}  // namespace tetrawave::cuda
