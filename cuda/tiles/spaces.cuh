// The spaces that are marched in tiles, and what their kernels share.
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/tile.cuh"
#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"
#include "tile_terms.hpp"

namespace tetrawave::cuda {

/// Matrices of a space (tools/tables).
template <class Basis>
struct TileSpace;

/// For DGTD-Central and DGTD-Upwind.
template <>
struct TileSpace<kernels::FusedMixed3> {
  using Central = TileMatrix<TileMixed3Central>;
  using Upwind = TileMatrix<TileMixed3Upwind>;
  using Dofs = TileMatrix<TileMixed3Dofs>;
  using Top = TileMixed3Top;
};
/// Matrices that a kernel has in shared memory, one after the other: of the rates, of the dofs, of the top functions.
template <class Basis, class Rates>
struct TileMatrices {
  using Dofs = typename TileSpace<Basis>::Dofs;
  static constexpr int before_top = Rates::entries + Dofs::entries;
  static constexpr int entries = before_top + TileSpace<Basis>::Top::entries;
  /// By all threads of a thread block.
  __device__ static void load(double* to) {
    load_one<Rates>(to);
    load_one<Dofs>(to + Rates::entries);
    load_one<typename TileSpace<Basis>::Top>(to + before_top);
  }

 private:
  template <class One>
  __device__ static void load_one(double* to) {
    if constexpr (One::entries > 0)
      for (int i = static_cast<int>(threadIdx.x); i < One::entries; i += static_cast<int>(blockDim.x))
        to[i] = One::values()[i];
  }
};

/// Starts the geometry of a block towards the L2 cache; for one lane.
template <class S>
__device__ __forceinline__ void fetch_tile_elements(const kernels::Elements<S>& elements, std::int64_t block) {
  if (elements.metric.block == nullptr) fetch_tile_rows(elements.metric.numbers, block, 6);
  fetch_tile_rows(elements.neighbour, block, 4);
  fetch_tile_rows(elements.word, block, 1);
}

/// Starts the trace of `field` beyond a face towards rows of shared memory from `to` on.
template <class Basis, class S>
__device__ __forceinline__ void copy_tile_trace(const ThreadLane<S>& lane, const S* field, std::int32_t neighbour,
                                                std::uint32_t face, double* to) {
  const S* from = field + static_cast<std::int64_t>(neighbour >> 5) * Basis::dofs * 32 + (neighbour & 31);
#pragma unroll
  for (int k = 0; k < Basis::face_dofs; ++k)
    copy_later(to + k * tile_stride, from + lane.byte(Basis::rows_of(k), face) * 32);
}

/// Some rows of the thread's own, numbers of type S, `factor` times as numbers of double precision.
template <int count, class S>
__device__ __forceinline__ void scale_tile_rows(double factor, double* rows) {
  if (std::is_same_v<S, double> && factor == 1) return;
#pragma unroll
  for (int k = 0; k < count; ++k) rows[k * tile_stride] = factor * copied<S>(rows + k * tile_stride);
}

}  // namespace tetrawave::cuda
