// Sums over pairs of points as the paper on FE-IIEE has them (J. M. Badia et al., IEEE Access 8 (2020), doi
// 10.1109/ACCESS.2020.2993103, III B and algorithm 1): a launch for a face of S', a thread for a face of S, which goes
// through its points, the sources and the right-hand sides, and adds E and curl E, six complex numbers, to an array in
// global memory. Of the currents one thread of a block copies those of a right-hand side, 96 bytes, to shared memory.
#include "cuda/check.hpp"
#include "cuda/pairs/lane.cuh"
#include "cuda/pairs/launch.hpp"
#include "kernels/pairs/fields.hpp"

namespace tetrawave::cuda {

namespace {

/// E and curl E as their sum and difference, F+ and F- of kernels::FieldRadiation.
template <bool currents_shared>
__global__ void sum_face(const DevicePoints<double> points, const double* sources, int count, int sets, int targets,
                         double* fields) {
  using Boundary = kernels::BoundaryRadiation<double, 1>;
  using Field = kernels::FieldRadiation<double, 1>;
  using Lane = PairLane<double>;
  constexpr int numbers = Field::sum_rows;
  __shared__ double shared[numbers];
  const std::int64_t face = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool is_one = face * targets < points.count;
  for (int target = 0; target < targets; ++target) {
    const std::int64_t point = is_one ? face * targets + target : 0;
    const Lane lane{point, points.stride};
    typename Boundary::template Frame<Lane> frame;
    for (int x = 0; x < 3; ++x) frame.place[x] = lane.load(points.rows, Boundary::point_rows, x);
    for (int s = 0; s < count; ++s) {
      const double* const source = sources + s * Boundary::source_size(sets);
      const auto pair = Boundary::template pair<Lane>(lane, frame, source);
      const double away[3] = {frame.place[0] - source[0], frame.place[1] - source[1], frame.place[2] - source[2]};
      for (int set = 0; set < sets; ++set) {
        const double* currents = source + 3 + numbers * set;
        if constexpr (currents_shared) {
          __syncthreads();
          if (threadIdx.x == 0)
            for (int i = 0; i < numbers; ++i) shared[i] = currents[i];
          __syncthreads();
          currents = shared;
        }
        double own[numbers] = {};
        Field::template add<Lane, 1>(pair, away, currents, own);
        Field::template add<Lane, -1>(pair, away, currents + 6, own + 6);
        if (!is_one) continue;
        double* const to = fields + (point * sets + set) * numbers;
        for (int i = 0; i < numbers; ++i) to[i] += own[i];
      }
    }
  }
}

/// S+- = (e1 +- j e2) . F+-, as the tiled sums have them.
__global__ void take_tangents(const DevicePoints<double> points, const double* fields, int sets, double* sums) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, point = i / sets;
  if (point >= points.count) return;
  const PairLane<double> lane{point, points.stride};
  for (int half = 0; half < 2; ++half) {
    const double* const field = fields + 12 * i + 6 * half;
    const double sign = half == 0 ? 1 : -1;
    double re = 0, im = 0;
    for (int x = 0; x < 3; ++x) {
      const double first = lane.load(points.rows, 9, 3 + x), second = sign * lane.load(points.rows, 9, 6 + x);
      re += first * field[2 * x] - second * field[2 * x + 1];
      im += first * field[2 * x + 1] + second * field[2 * x];
    }
    sums[4 * i + 2 * half] = re;
    sums[4 * i + 2 * half + 1] = im;
  }
}

}  // namespace

void launch_face_of_sources(Stream& stream, const DevicePoints<double>& points, const DeviceSources& sources,
                            std::int64_t first, std::int64_t count, std::int64_t targets, int threads,
                            bool currents_shared, double* fields) {
  const std::int64_t size = kernels::BoundaryRadiation<double, 1>::source_size(sources.sets);
  const auto faces = (points.count + targets - 1) / targets;
  const auto blocks = static_cast<unsigned>((faces + threads - 1) / threads);
  const auto kernel = currents_shared ? sum_face<true> : sum_face<false>;
  kernel<<<blocks, static_cast<unsigned>(threads), 0, static_cast<cudaStream_t>(stream.handle())>>>(
      points, sources.numbers + first * size, static_cast<int>(count), sources.sets, static_cast<int>(targets), fields);
  check(cudaGetLastError(), "the launch of sums over pairs of a face");
}

void launch_tangents_of_fields(Stream& stream, const DevicePoints<double>& points, const double* fields, int sets,
                               double* sums) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((points.count * sets + threads - 1) / threads);
  take_tangents<<<blocks, threads, 0, static_cast<cudaStream_t>(stream.handle())>>>(points, fields, sets, sums);
  check(cudaGetLastError(), "the launch of the tangential parts of fields");
}

}  // namespace tetrawave::cuda
