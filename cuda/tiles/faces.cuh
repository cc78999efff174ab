// What comes through a face in tiles: a warp has a face, a lane an element.
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/tile.cuh"
#include "kernels/element_block.hpp"

namespace tetrawave::cuda {

/// Components along a face of a trace and of the own one, and what they are multiplied with: turned by 90 degrees, and
/// stretched by the face's metric. `Outer`: what lies in the rows of the trace, `Inner`: of the own field.
template <class Basis, class Outer = double, class Inner = double>
struct TileTraces {
  static constexpr int m = Basis::face_modes;
  double outer[2 * m];
  double inner[2 * m];
  double turned_outer;
  double turned_inner;
  double along_outer;
  double along_inner;

  /// Rows of the trace `beyond` and of the `own` field.
  __device__ __forceinline__ TileTraces(const double (&turned)[2], const double (&along)[2], const double* beyond,
                                        const Inner* own, int face)
      : turned_outer(turned[0]), turned_inner(turned[1]), along_outer(along[0]), along_inner(along[1]) {
    double trace[Basis::face_dofs];
#pragma unroll
    for (int k = 0; k < Basis::face_dofs; ++k) trace[k] = copied<Outer>(beyond + k * tile_stride);
    Basis::template face_components<double>(trace, outer);
#pragma unroll
    for (int k = 0; k < Basis::face_dofs; ++k)
      trace[k] = own[static_cast<int>(Basis::rows_of(k) >> (8 * face) & 0xff) * row_of_copies<Inner>];
    Basis::template face_components<double>(trace, inner);
  }
  __device__ __forceinline__ double turn(int i) const { return turned_outer * outer[i] - turned_inner * inner[i]; }
  __device__ __forceinline__ double along(int i) const { return along_outer * outer[i] - along_inner * inner[i]; }
};

/// The sign of a face of every space.
template <class Basis>
__device__ __forceinline__ double tile_face_sign(int face) {
  static_assert(Basis::face_sign(0) == -Basis::face_sign(1) && Basis::face_sign(1) == -Basis::face_sign(2) &&
                Basis::face_sign(2) == -Basis::face_sign(3));
  return (Basis::face_sign(0) == 1) == (face % 2 == 0) ? 1.0 : -1.0;
}

/// sqrt(g) g^ab (11 12 22) of a face with vertices a < b < c: g_11 = |x_b - x_a|^2, g_22 = |x_c - x_a|^2.
template <class S>
__device__ __forceinline__ void tile_face_metric(const ThreadLane<S>& lane, const kernels::Metric<S>& metric, int face,
                                                 double (&g)[3]) {
  const S* q = lane.place_of_shared(metric.numbers, metric.block, 6);
  double g11 = lane.load_at(q, face == 0 ? 3 : face == 1 ? 3 : 0);
  double g12 = lane.load_at(q, face < 2 ? 4 : face == 2 ? 2 : 1);
  double g22 = lane.load_at(q, face < 3 ? 5 : 3);
  if (face == 0) {  // x_2 - x_1, x_3 - x_1
    const double q0 = lane.load_at(q, 0);
    const double q1 = lane.load_at(q, 1);
    const double q2 = lane.load_at(q, 2);
    g11 += q0 - q1 - q1;
    g12 += q0 - q1 - q2;
    g22 += q0 - q2 - q2;
  }
  const double scale = rsqrt(g11 * g22 - g12 * g12);
  g[0] = scale * g22;
  g[1] = -scale * g12;
  g[2] = scale * g11;
}

}  // namespace tetrawave::cuda
