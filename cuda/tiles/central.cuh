// A half step of DGTD-Central in tiles (schemes/central/update.hpp has the equations).
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/half_step.cuh"
#include "cuda/tiles/penalised.cuh"
#include "cuda/tiles/spaces.cuh"
#include "cuda/tiles/tile.cuh"
#include "cuda/tiles/top.cuh"
#include "schemes/central/update.hpp"

namespace tetrawave::cuda {

/// `S`: of the fields; numbers are of double precision from shared memory on.
template <class Basis, class S>
struct CentralTile {
  using Kernel = kernels::CentralUpdate<S>;
  static constexpr int n = Basis::dofs;
  static constexpr int nf = Basis::face_dofs;
  using Rates = typename TileSpace<Basis>::Central;  ///< of the own unknowns and the traces beyond the four faces
  using Dofs = typename TileSpace<Basis>::Dofs;
  using Top = TileTop<Basis>;
  using Matrices = TileMatrices<Rates, Dofs, typename TileSpace<Basis>::Top>;
  static constexpr int team_rows = Rates::depth + Top::exchange_rows;
  static_assert(Rates::depth >= Rates::result_rows, "the result takes the place of the input");

  __device__ static void start(const TileTeam& team, double* rows) {
    clear_tile_rows(team, rows, n + 4 * nf, Rates::depth);
  }

  /// Starts the data of a block towards the L2 cache.
  __device__ static void fetch(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    if (team.lane != 0) return;
    if (team.warp == 0) fetch_tile_elements(kernel.elements, block);
    if (team.warp == 1) fetch_tile_rows(kernel.source, block, n);
    if (team.warp == 2) fetch_tile_rows(kernel.target, block, n);
  }

  __device__ __forceinline__ static TileLook look(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    return {team, kernel.elements, nullptr, block};
  }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const auto neighbour = look.neighbour;
    const auto mirror = (word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    double* outside = rows + (n + team.warp * nf) * tile_stride + team.lane;
    copy_tile_trace<Basis>(lane, kernel.source, neighbour, (word >> (3 * team.warp)) & 7, outside);
    copy_tile_rows<n>(team, kernel.source, block, rows);
    const Top top(team, kernel.elements.metric, block, shared + Rates::entries + Dofs::entries,
                  rows + Rates::depth * tile_stride);  // while the copies are under way
    wait_for_copies();
    widen_tile_rows<n, S>(team, rows);
    scale_tile_rows<nf, S>(lane.mirror_factor(kernel.mirror_code, mirror), outside);
    finish_half_step<Basis, Rates>(kernel, kernel.target, team, word, block, shared, rows, [&] { return top; });
  }
};

}  // namespace tetrawave::cuda
