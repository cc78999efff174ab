// A half step of DFDD-ELD in tiles (schemes/dfdd/update.hpp has the equations).
#pragma once

#include "cuda/lane.cuh"
#include "cuda/tiles/spaces.cuh"
#include "cuda/tiles/tile.cuh"
#include "cuda/tiles/top.cuh"
#include "schemes/dfdd/update.hpp"

namespace tetrawave::cuda {

/// A warp's part of what is held of K^-1, an element a lane (schemes/dfdd/held_inverse.hpp): a fourth of the groups of
/// four m_ij, or P_ij. Nothing waits for its loads before `multiply`.
template <class Held, class S>
struct TileHeld {
  static constexpr int size = Held::size;
  static constexpr int most = (Held::groups + tile_warps - 1) / tile_warps;  ///< groups of a warp
  static constexpr int in_group = Held::packed ? 3 : 4;                      ///< numbers
  static_assert(Held::rows >= in_group * Held::groups);
  __device__ static constexpr int first_of(int warp) { return Held::groups * warp / tile_warps; }
  S number[in_group * most];

  /// `place`: of the lane's element.
  __device__ __forceinline__ void load(const ThreadLane<S>& lane, const TileTeam& team, const S* place) {
    const int first = first_of(team.warp);
    const int count = first_of(team.warp + 1) - first;
#pragma unroll
    for (int k = 0; k < in_group * most; ++k) {
      number[k] = 0;
      if (k < in_group * (most - 1) || count == most) number[k] = lane.stream(place, in_group * first + k);
    }
  }

  /// Part of the sum over j of m_ij right_j, i != j, to rows of shared memory.
  __device__ __forceinline__ void multiply(const ThreadLane<S>& lane, const TileTeam& team, const double* right,
                                           double* sums) const {
    if (team.warp == 0) part<0>(lane, right, sums);
    if (team.warp == 1) part<1>(lane, right, sums);
    if (team.warp == 2) part<2>(lane, right, sums);
    if (team.warp == 3) part<3>(lane, right, sums);
  }

 private:
  template <int warp>
  __device__ __forceinline__ void part(const ThreadLane<S>& lane, const double* right, double* sums) const {
    constexpr int first = first_of(warp);
    constexpr int last = first_of(warp + 1);
    double sum[size] = {};
    double m[4] = {};
#pragma unroll
    for (int i = 1; i < size; ++i) {
#pragma unroll
      for (int j = 0; j < i; ++j) {
        const int pair = i * (i - 1) / 2 + j;
        if (pair / 4 < first || pair / 4 >= last) continue;
        if constexpr (Held::packed) {
          if (pair % 4 == 0) kernels::FourIntegers::unpack(lane, number + 3 * (pair / 4 - first), m);
        } else {
          m[pair % 4] = number[pair - 4 * first];
        }
        sum[i] += m[pair % 4] * right[j * tile_stride];
        sum[j] += m[pair % 4] * right[i * tile_stride];
      }
    }
#pragma unroll
    for (int i = 0; i < size; ++i) sums[i * tile_stride] = sum[i];
  }
};

/// `S`: of the fields; numbers are of double precision from shared memory on.
template <class Basis, class S>
struct DfddTile {
  static_assert(Basis::top == 0, "a mixed space has a system to solve for its top functions");
  using Kernel = kernels::DfddUpdate<S>;
  static constexpr int n = Basis::dofs;
  static constexpr int nf = Basis::face_dofs;
  using Held = kernels::HeldInverse<Basis, S>;
  static constexpr int m = Held::size;
  using Coupling = typename TileSpace<Basis>::Coupling;  ///< of the traces beyond the four faces
  using Curl = typename TileSpace<Basis>::Curl;          ///< of modes, and of unknowns
  using Back = typename TileSpace<Basis>::Back;
  using Dofs = typename TileSpace<Basis>::Dofs;
  using Matrices = TileMatrices<Coupling, Curl, Back, Dofs>;

  // Rows of shared memory: what drives the rate, in modes (`work`); then the traces beyond the faces, the last n rows
  // of which M^-1 d takes, and the pulled values; from the traces' place on the curl, later l, and the four parts of l.
  static constexpr int work = Coupling::result_rows;
  static constexpr int traces = work;
  static constexpr int in = traces + Coupling::depth - n;
  static constexpr int parts = traces + Curl::result_rows;
  static constexpr int metric = in + (Curl::depth > parts - in + 4 * m ? Curl::depth : parts - in + 4 * m);
  static constexpr int team_rows = metric + 6;
  static_assert(Coupling::depth == 4 * nf && Coupling::depth >= n && Curl::result_rows >= Back::depth);

  /// Whether what is held of K^-1 is asked for, to registers, before the traces are there; and whether it is fetched
  /// towards the L2 cache a block ahead.
  static constexpr bool loads_early = true;
  static constexpr bool fetches_ahead = false;

  __device__ static void start(const TileTeam& team, double* rows) { clear_tile_rows(team, rows, 0, team_rows); }

  /// Starts what is held for a block towards the L2 cache.
  __device__ static void fetch(const Kernel& kernel, const TileTeam& team, std::int64_t block) requires fetches_ahead {
    if (team.warp == 0 && team.lane == 0 && kernel.elements.metric.block == nullptr)
      fetch_tile_rows(kernel.inverse, block, Held::rows);
  }

  __device__ __forceinline__ static TileLook look(const Kernel& kernel, const TileTeam& team, std::int64_t block) {
    return {team, kernel.elements, nullptr, block};
  }

  /// Starts a block's data towards shared memory.
  __device__ static void ask(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             double* rows) {
    ask_fields(kernel, team, look, block, rows);
    ask_metric(kernel, team, block, rows);
  }
  /// The traces beyond the faces and the values.
  __device__ static void ask_fields(const Kernel& kernel, const TileTeam& team, const TileLook& look,
                                    std::int64_t block, double* rows) {
    copy_own_tile_rows<n>(team, kernel.value + block * n * 32, rows + (in + n) * tile_stride);
    copy_tile_trace<Basis>(ThreadLane<S>{block, team.lane}, kernel.source, look.neighbour,
                           (look.word >> (3 * team.warp)) & 7,
                           rows + (traces + team.warp * nf) * tile_stride + team.lane);
  }

  __device__ static void ask_metric(const Kernel& kernel, const TileTeam& team, std::int64_t block, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const S* from = lane.place_of_shared(kernel.elements.metric.numbers, kernel.elements.metric.block, 6);
    copy_own_tile_rows<6>(team, from - team.lane, rows + metric * tile_stride);
  }

  /// After `ask` for this block; asks for the next one (-1: there is none).
  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const TileLook& next, std::int64_t next_block, const double* shared, double* rows) {
    const double* to_curl = shared + Coupling::entries;
    const double* back = to_curl + Curl::entries;
    const double* to_dofs = back + Back::entries;
    double* curl = rows + traces * tile_stride;
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const auto material = word >> kernels::ElementWord::class_shift;
    const S* held = lane.place_of_shared(kernel.inverse, kernel.elements.metric.block, Held::rows);
    TileHeld<Held, S> inverse;
    if constexpr (loads_early) inverse.load(lane, team, held);
    take(kernel, lane, team, word, material, rows);
    team.sync();  // and all have left the block before
    couple(kernel, team, word, shared, curl, rows);
    team.sync();
    // K l = C ( (4 a/dt^2) e + M^-1 d )
    invert(team, rows, rows + in * tile_stride);
    if constexpr (!loads_early) inverse.load(lane, team, held);
    team.sync();
    {
      const TilePairs<Curl, S> scale(team, held - team.lane + Held::pair_rows * 32, 0);  // if packed
      TileProduct<Curl> f(team);
      f.add(team, to_curl, rows + in * tile_stride);
      team.sync();
      if constexpr (Held::packed)
        f.put(scale, curl);
      else
        f.put(curl);
    }
    team.sync();
    double* sums = rows + parts * tile_stride + team.lane;
    inverse.multiply(lane, team, curl + team.lane, sums + team.warp * m * tile_stride);
    const TilePairs<Dofs, S> rate(team, kernel.rate, block);
    const TilePairs<Dofs, S> value(team, kernel.value, block);
    team.sync();
    for (int i = team.warp; i < m; i += tile_warps) {
      double* l = curl + i * tile_stride + team.lane;
      const double diagonal = lane.load_at(held, Held::pair_rows + i);  // if packed, s_i
      double sum = (Held::packed ? kernels::FourIntegers::largest : diagonal) * l[0];
#pragma unroll
      for (int k = 0; k < tile_warps; ++k) sum += sums[(k * m + i) * tile_stride];
      l[0] = Held::packed ? diagonal * sum : sum;
    }
    team.sync();
    subtract(team, back, curl, rows);
    team.sync();
    if (next_block >= 0) ask_fields(kernel, team, next, next_block, rows);
    invert(team, rows, rows);
    team.sync();
    if (next_block >= 0) ask_metric(kernel, team, next_block, rows);
    advance(kernel, lane, team, material, to_dofs, rows, rate, value);
  }

 private:
  /// The traces beyond the faces that have a neighbour, twice (the matrix holds D_f/2), and the pulled values.
  __device__ static void take(const Kernel& kernel, const ThreadLane<S>& lane, const TileTeam& team, std::uint32_t word,
                              std::uint32_t material, double* rows) {
    const auto wall = (word >> (kernels::ElementWord::mirror_shift + 2 * team.warp)) & 3;
    const double pull = lane.lookup(kernel.c.pull, material);
    wait_for_copies();
    scale_tile_rows<nf, S>(wall != 0 ? 0.0 : 2.0, rows + (traces + team.warp * nf) * tile_stride + team.lane);
    scale_own_tile_rows<n, S>(team, pull, rows + (in + n) * tile_stride);
    if constexpr (!std::is_same_v<S, double>) scale_own_tile_rows<6, S>(team, 1, rows + metric * tile_stride);
  }

  /// to <- +-sum_f D_f y+ of the traces y+ in rows.
  __device__ static void couple(const Kernel& kernel, const TileTeam& team, std::uint32_t word, const double* matrix,
                                const double* rows, double* to) {
    const double sign = (word >> kernels::ElementWord::sign_shift) & 1 ? -kernel.sign : kernel.sign;
    TileProduct<Coupling> d(team);
    d.add(team, matrix, rows);
    d.template with_lanes<1>(team, {sign},
                             [&](int /*place*/, int row, int element, double a, double b, const double(&first)[1],
                                 const double(&second)[1]) {
                               *reinterpret_cast<double2*>(to + row * tile_stride + element) =
                                   make_double2(first[0] * a, second[0] * b);
                             });
  }

  /// to <- M^-1 rows.
  __device__ static void invert(const TileTeam& team, const double* rows, double* to) {
    double q[6];
#pragma unroll
    for (int a = 0; a < 6; ++a) q[a] = rows[(metric + a) * tile_stride + team.lane];
    invert_tile_low<Basis>(team, q, rows, to);
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

  __device__ static void advance(const Kernel& kernel, const ThreadLane<S>& lane, const TileTeam& team,
                                 std::uint32_t material, const double* matrix, const double* rows,
                                 const TilePairs<Dofs, S>& rate, const TilePairs<Dofs, S>& value) {
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
