// A half step of DGTD-Central in tiles (schemes/central/update.hpp has the equations).
#pragma once

#include "cuda/tiles/half_step.cuh"
#include "cuda/tiles/penalised.cuh"
#include "schemes/central/update.hpp"

namespace tetrawave::cuda {

/// `S`: of the fields; numbers are of double precision from shared memory on.
template <class Basis, class S>
struct CentralTile {
  using Kernel = kernels::CentralUpdate<S>;
  using Rates = typename TileSpace<Basis>::Central;  ///< of the own unknowns and the traces beyond the four faces
  using Matrices = TileMatrices<Basis, Rates>;
  static constexpr int team_rows = Rates::depth + TileTop<Basis>::exchange_rows;
  static_assert(Rates::depth >= Rates::result_rows, "the result takes the place of the input");

  __device__ static void start(const TileTeam& team, double* rows) {
    clear_tile_rows(team, rows, Basis::dofs + 4 * Basis::face_dofs, Rates::depth);
  }

  __device__ static void fetch(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    fetch_half_step<Basis>(kernel, kernel.target, team, block);
  }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const auto neighbour = look.neighbour;
    const auto mirror = (word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    double* outside = rows + (Basis::dofs + team.warp * Basis::face_dofs) * tile_stride + team.lane;
    copy_tile_trace<Basis>(lane, kernel.source, neighbour, (word >> (3 * team.warp)) & 7, outside);
    copy_tile_rows<Basis::dofs>(team, kernel.source, block, rows);
    const TileTop<Basis> top(team, kernel.elements.metric, block, shared + Matrices::before_top,
                             rows + Rates::depth * tile_stride);  // while the copies are under way
    wait_for_copies();
    widen_tile_rows<Basis::dofs, S>(team, rows);
    scale_tile_rows<Basis::face_dofs, S>(lane.mirror_factor(kernel.mirror_code, mirror), outside);
    finish_half_step<Basis, Rates>(kernel, kernel.target, team, word, block, shared, rows, [&] { return top; });
  }
};

}  // namespace tetrawave::cuda
