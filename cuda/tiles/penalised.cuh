// The half step of E in DGTD-Central with a penalty on its jumps, in tiles (schemes/central/penalised_update.hpp has
// the equation).
#pragma once

#include "cuda/tiles/faces.cuh"
#include "cuda/tiles/half_step.cuh"
#include "schemes/central/penalised_update.hpp"

namespace tetrawave::cuda {

/// `S`: of the fields, and of traces and the field itself in shared memory; from there on double precision.
template <class Basis, class S>
struct PenalisedTile {
  using Kernel = kernels::PenalisedUpdate<S>;
  static constexpr int n = Basis::dofs;
  static constexpr int nf = Basis::face_dofs;
  static constexpr int m = Basis::face_modes;
  using Rates = typename TileSpace<Basis>::Upwind;  ///< of the other field and the components along the four faces
  using Matrices = TileMatrices<Basis, Rates>;

  // Rows of shared memory: the other field, and for each face its trace beyond it, whose place what comes through it
  // takes; the field itself and its traces.
  static constexpr int team_rows = Rates::depth + n + 4 * nf;
  static_assert(2 * m >= nf && Rates::depth >= Rates::result_rows + TileTop<Basis>::exchange_rows);

  __device__ static void start(const TileTeam& team, double* rows) { clear_tile_rows(team, rows, 0, team_rows); }

  __device__ static void fetch(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    fetch_half_step<Basis>(kernel, kernel.old, team, block);
  }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const auto face = (word >> (3 * team.warp)) & 7;
    double* own = rows + Rates::depth * tile_stride;
    double* through = rows + (n + 2 * m * team.warp) * tile_stride + team.lane;
    double* beyond = own + (n + nf * team.warp) * tile_stride + team.lane;
    copy_tile_trace<Basis>(lane, kernel.source, look.neighbour, face, through);
    copy_tile_trace<Basis>(lane, kernel.old, look.neighbour, face, beyond);
    copy_tile_rows<n>(team, kernel.source, block, rows);
    copy_tile_rows<n>(team, kernel.old, block, own);
    const double sign = (word >> kernels::ElementWord::sign_shift) & 1 ? -1.0 : 1.0;
    double g[3];
    tile_face_metric(lane, kernel.elements.metric, team.warp, g);
    const auto kind = (lane.load_integer(kernel.kinds, 2, team.warp / 2) >> (16 * (team.warp % 2))) & 0xffff;
    const double strength = lane.lookup(kernel.penalty, kind) * sign;
    wait_for_copies();
    widen_tile_rows<n, S>(team, rows);
    team.sync();
    flow(kernel, team, word, strength, g, rows, own, through, beyond);
    const auto make_top = [&] {
      return TileTop<Basis>(team, kernel.metric, block, shared + Matrices::before_top,
                            rows + Rates::result_rows * tile_stride);
    };
    finish_half_step<Basis, Rates>(kernel, kernel.kept, team, word, block, shared, rows, make_top);
  }

 private:
  /// What comes through the warp's face takes the place of the trace of the other field beyond it.
  __device__ static void flow(const Kernel& kernel, const TileTeam& team, std::uint32_t word, double strength,
                              const double (&g)[3], const double* other, const double* own, double* through,
                              const double* beyond) {
    const ThreadLane<S> lane{0, team.lane};
    const auto mirror = (word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    double along[2 * m];
    {
      const TileTraces<Basis, S, S> u({0, 0}, {strength * lane.mirror_factor(kernel.own_mirror_code, mirror), strength},
                                      beyond, copied_in_rows<S>(own, team.lane), team.warp);
#pragma unroll
      for (int i = 0; i < m; ++i) {
        along[i] = g[0] * u.along(i) + g[1] * u.along(m + i);
        along[m + i] = g[1] * u.along(i) + g[2] * u.along(m + i);
      }
    }
    const double sigma = tile_face_sign<Basis>(team.warp);
    const TileTraces<Basis, S> u({0.5 * lane.mirror_factor(kernel.mirror_code, mirror), 0.5}, {0, 0}, through,
                                 other + team.lane, team.warp);
#pragma unroll
    for (int i = 0; i < m; ++i) {
      through[i * tile_stride] = along[i] - sigma * u.turn(m + i);
      through[(m + i) * tile_stride] = along[m + i] + sigma * u.turn(i);
    }
  }
};

}  // namespace tetrawave::cuda
