// A half step of DGTD-Central in tiles (schemes/central/update.hpp has the equations).
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/spaces.cuh"
#include "cuda/tiles/tile.cuh"
#include "cuda/tiles/top.cuh"
#include "schemes/central/update.hpp"

namespace tetrawave::cuda {

/// `S`: of the fields; numbers are of double precision from shared memory on. Those of single precision are asked for a
/// block ahead, to rows of their own, where all have room.
template <class Basis, class S>
struct CentralTile {
  using Kernel = kernels::CentralUpdate<S>;
  static constexpr int n = Basis::dofs;
  static constexpr int nf = Basis::face_dofs;
  using Rates = typename TileSpace<Basis>::Central;  ///< of the own unknowns and the traces beyond the four faces
  using Dofs = typename TileSpace<Basis>::Dofs;
  using Top = TileTop<Basis>;
  using Matrices = TileMatrices<Rates, Dofs, typename TileSpace<Basis>::Top>;
  static constexpr bool is_ahead = std::is_same_v<S, float>;
  static constexpr int asked =
      Rates::depth + Top::exchange_rows;  ///< row of what is asked for: n + 4 nf times 32 floats
  static constexpr int asked_rows =
      ((n + 4 * nf) * 32 * static_cast<int>(sizeof(float)) + 8 * tile_stride - 1) / (8 * tile_stride);
  static constexpr int team_rows = asked + (is_ahead ? asked_rows : 0);
  static_assert(Rates::depth >= Rates::result_rows, "the result takes the place of the input");

  __device__ static void start(const TileTeam& team, double* rows) {
    clear_tile_rows(team, rows, n + 4 * nf, Rates::depth);
  }

  /// Starts the data of a block towards the L2 cache.
  __device__ static void fetch(const Kernel& kernel, const TileTeam& team, std::int64_t block) requires(!is_ahead) {
    if (team.lane != 0) return;
    if (team.warp == 0) fetch_tile_elements(kernel.elements, block);
    if (team.warp == 1) fetch_tile_rows(kernel.source, block, n);
    if (team.warp == 2) fetch_tile_rows(kernel.target, block, n);
  }

  __device__ __forceinline__ static TileLook look(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    return {team, kernel.elements, nullptr, block};
  }

  /// Starts the fields of a block towards shared memory; each thread what it will itself widen.
  __device__ static void ask(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             double* rows) requires is_ahead {
    float* to = reinterpret_cast<float*>(rows + asked * tile_stride);
    const float* own = kernel.source + block * n * 32;
    for_fours(team, [&](int first) { copy_four_later(to + first, own + first); });
    float* outside = to + (n + team.warp * nf) * 32 + team.lane;
    for_tile_trace<Basis>(ThreadLane<S>{block, team.lane}, kernel.source, look.neighbour,
                          (look.word >> (3 * team.warp)) & 7,
                          [&](int k, const float* from) { copy_later(outside + k * 32, from); });
  }
  /// After `ask` for this block; asks for the next one (-1: there is none).
  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const TileLook& next, std::int64_t next_block, const double* shared,
                             double* rows) requires is_ahead {
    const float* from = reinterpret_cast<const float*>(rows + asked * tile_stride);
    const float* outside = from + (n + team.warp * nf) * 32 + team.lane;
    double* trace = rows + (n + team.warp * nf) * tile_stride + team.lane;
    wait_for_copies();
    for_fours(team, [&](int first) {
      double2* to = reinterpret_cast<double2*>(rows + first / 32 * tile_stride + first % 32);
      to[0] = make_double2(from[first], from[first + 1]);
      to[1] = make_double2(from[first + 2], from[first + 3]);
    });
    const double factor = mirror_factor(kernel, team, look, block);
#pragma unroll
    for (int k = 0; k < nf; ++k) trace[k * tile_stride] = factor * outside[k * 32];
    if (next_block >= 0) ask(kernel, team, next, next_block, rows);
    advance(kernel, team, look, block, shared, rows);
  }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) requires(!is_ahead) {
    const ThreadLane<S> lane{block, team.lane};
    double* outside = rows + (n + team.warp * nf) * tile_stride + team.lane;
    copy_tile_trace<Basis>(lane, kernel.source, look.neighbour, (look.word >> (3 * team.warp)) & 7, outside);
    copy_tile_rows<n>(team, kernel.source, block, rows);
    advance(kernel, team, look, block, shared, rows);
  }

 private:
  /// work(i): for fours of numbers of the own block that are the thread's, from number i on.
  template <class Work>
  __device__ __forceinline__ static void for_fours(const TileTeam& team, const Work& work) {
#pragma unroll
    for (int first = 0; first < 32 * n; first += 4 * tile_threads) {
      const int i = first + 4 * (32 * team.warp + team.lane);
      if (i < 32 * n) work(i);
    }
  }
  __device__ __forceinline__ static double mirror_factor(const Kernel& kernel, const TileTeam& team,
                                                         const TileLook& look, std::int64_t block) {
    const auto mirror = (look.word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    return ThreadLane<S>{block, team.lane}.mirror_factor(kernel.mirror_code, mirror);
  }

  __device__ __forceinline__ static void advance(const Kernel& kernel, const TileTeam& team, const TileLook& look,
                                                 std::int64_t block, const double* shared, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const Top top(team, kernel.elements.metric, block, shared + Rates::entries + Dofs::entries,
                  rows + Rates::depth * tile_stride);  // while copies are under way
    if constexpr (!is_ahead) {
      wait_for_copies();
      scale_tile_rows<nf, S>(mirror_factor(kernel, team, look, block),
                             rows + (n + team.warp * nf) * tile_stride + team.lane);
    }
    team.sync();
    TileProduct<Rates> rates(team);
    rates.add(team, shared, rows);
    team.sync();
    rates.put(rows);
    const TilePairs<Dofs> old(team, kernel.target, block);
    team.sync();
    invert_tile_mass<Basis>(team, top, rows, rows);
    team.sync();
    TileProduct<Dofs> change(team);
    change.add(team, shared + Rates::entries, rows);
    const auto material = word >> kernels::ElementWord::class_shift;
    const double keep = lane.lookup(kernel.decay, material);
    const double amount = lane.lookup(kernel.gain, material);
    const double step = (word >> kernels::ElementWord::sign_shift) & 1 ? -amount : amount;
    change.template with_lanes<2>(
        team, {keep, step},
        [&](int i, int row, int element, double a, double b, const double(&first)[2], const double(&second)[2]) {
          store_pair(kernel.target, block, n, row, element, first[0] * old.at[i].x + first[1] * a,
                     second[0] * old.at[i].y + second[1] * b);
        });
    team.sync();  // before the rows are filled again
  }
};

}  // namespace tetrawave::cuda
