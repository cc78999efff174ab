// Launches of kernels in tiles: thread blocks that stay, one a multiprocessor, of some teams each
// (cuda/tiles/tile.cuh).
#pragma once

#include <algorithm>

#include "cuda/launch_kernel.cuh"
#include "cuda/tiles/tile.cuh"

namespace tetrawave::kernels {
template <class S>
struct CentralUpdate;
template <class S>
struct PenalisedUpdate;
template <class S>
struct UpwindStage;
}  // namespace tetrawave::kernels

namespace tetrawave::cuda {

// Each in a file of its own; a translation unit includes that of its list of kernels.
template <class Basis, class S>
struct CentralTile;
template <class Basis, class S>
struct PenalisedTile;
template <class Basis, class S>
struct UpwindTile;

/// The tiles that a kernel of a space is marched in, and the most teams of a thread block (more share the registers);
/// void: an element a thread. Tiles with `fetch` start the data of a team's next block towards the L2 cache. By
/// measurement (decision 030).
template <class Basis, class Kernel>
struct TilesOf {
  using type = void;
};
template <class S>
struct TilesOf<kernels::Mixed3, kernels::CentralUpdate<S>> {
  using type = CentralTile<kernels::FusedMixed3, S>;
  static constexpr int teams = 3;
};
template <class S>
struct TilesOf<kernels::Mixed3, kernels::PenalisedUpdate<S>> {
  using type = PenalisedTile<kernels::FusedMixed3, S>;
  static constexpr int teams = 2;
};
template <class S>
struct TilesOf<kernels::Mixed3, kernels::UpwindStage<S>> {
  using type = UpwindTile<kernels::FusedMixed3, S>;
  static constexpr int teams = 2;
};

template <class Tile, int max_teams>
__global__ void __launch_bounds__(max_teams* tile_threads, 1)
    run_tiles(const typename Tile::Kernel kernel, std::int64_t first, std::int64_t count) {
  extern __shared__ double2 tile_memory[];
  double* shared = reinterpret_cast<double*>(tile_memory);
  Tile::Matrices::load(shared);
  const TileTeam team{static_cast<int>(threadIdx.x) / tile_threads, static_cast<int>(threadIdx.x) % tile_threads / 32,
                      static_cast<int>(threadIdx.x) % 32};
  double* rows = shared + Tile::Matrices::entries + team.number * (Tile::team_rows * tile_stride);
  Tile::start(team, rows);
  await_earlier_kernels();
  __syncthreads();
  const int teams = static_cast<int>(blockDim.x) / tile_threads;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * teams;
  std::int64_t block = static_cast<std::int64_t>(blockIdx.x) * teams + team.number;
  if (block >= count) return;
  TileLook look = look_at<Tile>(kernel, team, first + block);
  for (; block < count; block += stride) {
    const TileLook next = look_at<Tile>(kernel, team, first + min(block + stride, count - 1));
    if constexpr (requires { Tile::fetch(kernel, team, block); })
      if (block + stride < count) Tile::fetch(kernel, team, first + block + stride);
    Tile::run(kernel, team, look, first + block, shared, rows);
    look = next;
  }
  let_next_kernel();
}

/// Whether the tiles fit the GPU: then the work is queued. Passes go forwards: registers are short, and memory is not
/// what bounds tiles.
template <class Tile, int max_teams>
bool launch_tiles(Stream& stream, const typename Tile::Kernel& kernel, const Pass& pass) {
  int device = 0;
  int shared_bytes = 0;
  int processors = 0;
  check(cudaGetDevice(&device), "the current GPU");
  check(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "a GPU's attribute");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "a GPU's attribute");
  constexpr int matrix_bytes = Tile::Matrices::entries * static_cast<int>(sizeof(double));
  constexpr int team_bytes = Tile::team_rows * tile_stride * static_cast<int>(sizeof(double));
  const int teams = std::min(max_teams, (shared_bytes - matrix_bytes) / team_bytes);
  if (teams < 1) return false;
  const int bytes = matrix_bytes + teams * team_bytes;
  const auto run = run_tiles<Tile, max_teams>;
  check(cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory for tiles");
  const auto grid = static_cast<unsigned>(std::min<std::int64_t>(processors, (pass.count + teams - 1) / teams));
  launch_kernel(stream, run, grid, static_cast<unsigned>(teams * tile_threads), bytes, kernel, pass.first, pass.count);
  return true;
}

}  // namespace tetrawave::cuda
