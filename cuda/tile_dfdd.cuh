// A half step of DFDD-ELD in tiles (kernels/dfdd_update.hpp has the equations).
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tile.cuh"
#include "cuda/tile_spaces.cuh"
#include "cuda/tile_top.cuh"
#include "kernels/dfdd_update.hpp"

namespace tetrawave::cuda {

/// l <- K^-1 l for an element a lane: each warp takes a part of the rows of the packed triangle, the parts are added.
template <int m>
struct TileCurlSolve {
  /// The warp's part: rows i with i mod 8 = warp or 7 - warp, which have about as many entries for every warp.
  template <int warp>
  __device__ __forceinline__ static void part(const ThreadLane<double>& lane, const double* place, const double* l,
                                              double (&sum)[m]) {
#pragma unroll
    for (int i = 0; i < m; ++i) {
      if (i % 8 != warp && i % 8 != 7 - warp) continue;
      const double right = l[i * tile_stride];
#pragma unroll
      for (int j = 0; j <= i; ++j) {
        const double entry = lane.stream(place, i * (i + 1) / 2 + j);
        sum[i] += entry * l[j * tile_stride];
        if (j < i) sum[j] += entry * right;
      }
    }
  }

  /// `place`: of the lane's K^-1; `l`: m rows of shared memory, of 4 m that are used.
  __device__ static void run(const ThreadLane<double>& lane, const TileTeam& team, const double* place, double* l) {
    double sum[m] = {};
    const double* right = l + team.lane;
    if (team.warp == 0) part<0>(lane, place, right, sum);
    if (team.warp == 1) part<1>(lane, place, right, sum);
    if (team.warp == 2) part<2>(lane, place, right, sum);
    if (team.warp == 3) part<3>(lane, place, right, sum);
    team.sync();
#pragma unroll
    for (int i = 0; i < m; ++i) l[(team.warp * m + i) * tile_stride + team.lane] = sum[i];
    team.sync();
    for (int i = team.warp; i < m; i += tile_warps) {
      double* s = l + i * tile_stride + team.lane;
      s[0] += s[m * tile_stride] + s[2 * m * tile_stride] + s[3 * m * tile_stride];
    }
    team.sync();
  }
};

template <class Basis>
struct DfddTile {
  using Kernel = kernels::DfddUpdate<double>;
  static constexpr int n = Basis::dofs;
  static constexpr int nf = Basis::face_dofs;
  static constexpr int m = 3 * Basis::curl_modes;
  using Coupling = typename TileSpace<Basis>::Coupling;  ///< of the traces beyond the four faces
  using Curl = typename TileSpace<Basis>::Curl;          ///< of modes, and of unknowns
  using Back = typename TileSpace<Basis>::Back;
  using Dofs = typename TileSpace<Basis>::Dofs;
  using Top = TileTop<Basis>;
  using Matrices = TileMatrices<Coupling, Curl, Back, Dofs, typename TileSpace<Basis>::Top>;

  // Rows of shared memory: what drives the rate in modes, its product with M^-1, the pulled values. The traces come to
  // the first, the parts of l to the last two.
  static constexpr int work = Coupling::result_rows;
  static constexpr int top_place = work + (Curl::depth > 4 * m ? Curl::depth : 4 * m);
  static constexpr int team_rows = top_place + Top::exchange_rows;
  static_assert(work + n >= Coupling::depth && team_rows >= work + Curl::result_rows);

  __device__ static void start(const TileTeam& team, double* rows) { clear_tile_rows(team, rows, 0, team_rows); }

  __device__ __forceinline__ static TileLook look(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    return {team, kernel.elements, nullptr, block};
  }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) {
    const double* to_curl = shared + Coupling::entries;
    const double* back = to_curl + Curl::entries;
    const double* to_dofs = back + Back::entries;
    double* in = rows + work * tile_stride;
    const ThreadLane<double> lane{block, team.lane};
    const auto word = look.word;
    const auto material = word >> kernels::ElementWord::class_shift;
    start_copies(kernel, lane, team, look, rows, in + n * tile_stride);
    const Top top(team, kernel.elements.metric, block, to_dofs + Dofs::entries,
                  rows + top_place * tile_stride);  // while the copies are under way
    finish_copies(kernel, lane, team, look, material, rows, in + n * tile_stride);
    team.sync();
    couple(kernel, team, word, shared, rows);
    team.sync();
    // K l = C ( (4 a/dt^2) e + M^-1 d )
    invert_tile_mass<Basis>(team, top, rows, in);
    team.sync();
    {
      TileProduct<Curl> l(team);
      l.add(team, to_curl, in);
      team.sync();
      l.put(in);
    }
    team.sync();
    TileCurlSolve<m>::run(lane, team,
                          lane.place_of_shared(kernel.inverse, kernel.elements.metric.block, m * (m + 1) / 2), in);
    subtract(team, back, in, rows);
    team.sync();
    invert_tile_mass<Basis>(team, top, rows, rows);
    team.sync();
    advance(kernel, lane, team, material, to_dofs, rows);
    team.sync();  // before the rows are filled again
  }

 private:
  /// The traces beyond the faces that have a neighbour, twice (the matrix holds D_f/2), and the pulled values.
  __device__ __forceinline__ static void start_copies(const Kernel& kernel, const ThreadLane<double>& lane,
                                                      const TileTeam& team, const TileLook& look, double* traces,
                                                      double* values) {
    copy_own_tile_rows<n>(team, kernel.value, lane.block, values);
    copy_tile_trace<Basis>(lane, kernel.source, look.neighbour, (look.word >> (3 * team.warp)) & 7,
                           traces + team.warp * nf * tile_stride + team.lane);
  }
  __device__ __forceinline__ static void finish_copies(const Kernel& kernel, const ThreadLane<double>& lane,
                                                       const TileTeam& team, const TileLook& look,
                                                       std::uint32_t material, double* traces, double* values) {
    const auto wall = (look.word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    const double pull = lane.lookup(kernel.c.pull, material);
    wait_for_copies();
    scale_tile_rows<nf>(wall != 0 ? 0.0 : 2.0, traces + team.warp * nf * tile_stride + team.lane);
    scale_own_tile_rows<n>(team, pull, values);
  }

  /// rows <- +-sum_f D_f y+ of the traces y+ in rows.
  __device__ static void couple(const Kernel& kernel, const TileTeam& team, std::uint32_t word, const double* matrix,
                                double* rows) {
    const double sign = (word >> kernels::ElementWord::sign_shift) & 1 ? -kernel.sign : kernel.sign;
    TileProduct<Coupling> d(team);
    d.add(team, matrix, rows);
    team.sync();
    d.template with_lanes<1>(team, {sign},
                             [&](int /*place*/, int row, int element, double a, double b, const double(&first)[1],
                                 const double(&second)[1]) {
                               *reinterpret_cast<double2*>(rows + row * tile_stride + element) =
                                   make_double2(first[0] * a, second[0] * b);
                             });
  }

  /// rows -= C^T l.
  __device__ static void subtract(const TileTeam& team, const double* matrix, const double* l, double* rows) {
    TileProduct<Back> product(team);
    product.add(team, matrix, l);
    product.for_pairs([&](int row, int element, double a, double b) {
      double* place = rows + row * tile_stride + element;
      place[0] -= a;
      place[1] -= b;
    });
  }

  __device__ static void advance(const Kernel& kernel, const ThreadLane<double>& lane, const TileTeam& team,
                                 std::uint32_t material, const double* matrix, const double* rows) {
    const TilePairs<Dofs> rate(team, kernel.rate, lane.block);
    const TilePairs<Dofs> value(team, kernel.value, lane.block);
    TileProduct<Dofs> change(team);
    change.add(team, matrix, rows);
    const double decay = lane.lookup(kernel.c.decay, material);
    const double gain = lane.lookup(kernel.c.gain, material);
    change.template with_lanes<2>(
        team, {decay, gain},
        [&](int i, int row, int element, double a, double b, const double(&first)[2], const double(&second)[2]) {
          const double x0 = first[0] * rate.at[i].x + first[1] * a;
          const double x1 = second[0] * rate.at[i].y + second[1] * b;
          store_pair(kernel.rate, lane.block, n, row, element, x0, x1);
          store_pair(kernel.value, lane.block, n, row, element, value.at[i].x + kernel.dt * x0,
                     value.at[i].y + kernel.dt * x1);
        });
  }
};

}  // namespace tetrawave::cuda
