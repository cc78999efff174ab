// What half steps of DGTD-Central in tiles with and without a penalty share.
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/spaces.cuh"
#include "cuda/tiles/tile.cuh"
#include "cuda/tiles/top.cuh"

namespace tetrawave::cuda {

/// Starts the data of a block, with the other field and the own one, towards the L2 cache.
template <class Basis, class Kernel, class S>
__device__ __forceinline__ void fetch_half_step(const Kernel& kernel, const S* own, const TileTeam& team,
                                                std::int64_t block) {
  if (team.lane != 0) return;
  if (team.warp == 0) fetch_tile_elements(kernel.elements, block);
  if (team.warp == 1) fetch_tile_rows(kernel.source, block, Basis::dofs);
  if (team.warp == 2) fetch_tile_rows(own, block, Basis::dofs);
}

/// kernel.target <- keep before + step M^-1 (Rates * rows), when all threads have filled the rows, which it overwrites.
/// make_top(): the TileTop of the block.
template <class Basis, class Rates, class Kernel, class S, class MakeTop>
__device__ __forceinline__ void finish_half_step(const Kernel& kernel, const S* before, const TileTeam& team,
                                                 std::uint32_t word, std::int64_t block, const double* shared,
                                                 double* rows, const MakeTop& make_top) {
  using Dofs = typename TileSpace<Basis>::Dofs;
  team.sync();
  TileProduct<Rates> rates(team);
  rates.add(team, shared, rows);
  team.sync();
  rates.put(rows);
  const TilePairs<Dofs, S> old(team, before, block);
  const TileTop<Basis> top = make_top();
  team.sync();
  invert_tile_mass<Basis>(team, top, rows, rows);
  team.sync();
  TileProduct<Dofs> change(team);
  change.add(team, shared + Rates::entries, rows);
  const ThreadLane<S> lane{block, team.lane};
  const auto material = word >> kernels::ElementWord::class_shift;
  const double keep = lane.lookup(kernel.decay, material);
  const double amount = lane.lookup(kernel.gain, material);
  const double step = (word >> kernels::ElementWord::sign_shift) & 1 ? -amount : amount;
  change.template with_lanes<2>(
      team, {keep, step},
      [&](int i, int row, int element, double a, double b, const double(&first)[2], const double(&second)[2]) {
        store_pair(kernel.target, block, Basis::dofs, row, element, first[0] * old.at[i].x + first[1] * a,
                   second[0] * old.at[i].y + second[1] * b);
      });
  team.sync();  // before the rows are filled again
}

}  // namespace tetrawave::cuda
