// The mass of the top functions of a mixed space in tiles: z = 6 det q Y(adj q)^-1 w (kernels/mass_inverse.hpp).
//
// Every warp has 8 elements of the block, four lanes an element, a quad. Y is cut into blocks of 4 x 4, and lane t of a
// quad holds row t of each: rows t, 4 + t, .. of Y. It comes from the tensor cores, since it is linear in adj q, and is
// factored as L P L^T, L of blocks below a diagonal of units, P of blocks on the diagonal, which are kept as P^-1.
#pragma once

#include "cuda/tiles/tile.cuh"
#include "kernels/element_block.hpp"
#include "kernels/mass_inverse.hpp"
#include "kernels/reciprocal.hpp"

namespace tetrawave::cuda {

/// Where an entry of a symmetric matrix lies in its packed lower triangle.
TW_FN constexpr int packed_place(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

/// A symmetric positive definite block of 4 x 4 as L D L^T, all that is asked of it. (Eliminating with the inverse of
/// the block instead of with L loses the digits of flat elements.)
struct TilePivot {
  double l[4][4];          ///< below the diagonal
  double inverse_l[4][4];  ///< likewise
  double inverse_d[4];
  double inverse[10];  ///< packed lower triangle

  TW_FN explicit TilePivot(const double (&p)[4][4]) {
    double ld[4][4];
    TW_UNROLL
    for (int j = 0; j < 4; ++j) {
      TW_UNROLL
      for (int i = j; i < 4; ++i) {
        ld[i][j] = p[i][j];
        TW_UNROLL
        for (int k = 0; k < j; ++k) ld[i][j] -= ld[i][k] * l[j][k];
      }
      inverse_d[j] = kernels::reciprocal(ld[j][j]);
      TW_UNROLL
      for (int i = j + 1; i < 4; ++i) l[i][j] = ld[i][j] * inverse_d[j];
    }
    TW_UNROLL
    for (int j = 0; j < 4; ++j) {
      TW_UNROLL
      for (int i = j + 1; i < 4; ++i) {
        inverse_l[i][j] = -l[i][j];
        TW_UNROLL
        for (int k = j + 1; k < i; ++k) inverse_l[i][j] -= l[i][k] * inverse_l[k][j];
      }
    }
    TW_UNROLL
    for (int i = 3; i >= 0; --i) {
      TW_UNROLL
      for (int j = 0; j <= i; ++j) {
        double sum = i == j ? inverse_d[i] : inverse_d[i] * inverse_l[i][j];
        TW_UNROLL
        for (int k = i + 1; k < 4; ++k) sum += inverse_l[k][i] * (inverse_d[k] * inverse_l[k][j]);
        inverse[packed_place(i, j)] = sum;
      }
    }
  }

  /// row <- row L^-T.
  TW_FN void eliminate(double (&row)[4]) const {
    TW_UNROLL
    for (int j = 1; j < 4; ++j) {
      TW_UNROLL
      for (int k = 0; k < j; ++k) row[j] -= row[k] * l[j][k];
    }
  }
  /// row <- row L^-1.
  TW_FN void finish(double (&row)[4]) const {
    TW_UNROLL
    for (int j = 0; j < 4; ++j) {
      TW_UNROLL
      for (int k = j + 1; k < 4; ++k) row[j] += row[k] * inverse_l[k][j];
    }
  }
};

template <class Basis>
class TileTop {
 public:
  static constexpr int top = Basis::top;
  static constexpr int blocks = (top + 3) / 4;
  static constexpr int quad_stride = 18;  ///< doubles of a quad in shared memory: 4 x 4 of 8 quads in different banks
  /// Rows of shared memory that the constructor uses and `metric` reads.
  static constexpr int exchange_rows = 2 * tile_warps * 8 * quad_stride / tile_stride;

  /// The factors of the elements of a block; `table`: Y as tools/tables writes it, in shared memory.
  template <class S>
  __device__ __forceinline__ TileTop(const TileTeam& team, const kernels::Metric<S>& metric, std::int64_t block,
                                     const double* table, double* exchange)
      : exchange_(exchange) {
    const int t = team.lane % 4;
    double q[6];
    metric.load(ThreadLane<S>{block, 8 * team.warp + team.lane / 4}, q);
    double adj[6];
    const double scale = 6 * kernels::adjugate(q, adj);
    make(team, select(t, adj[0], adj[1], adj[2], adj[3]), select(t, adj[4], adj[5], 0, 0), table);
    Exchange quad(team, exchange);
#pragma unroll
    for (int s = 0; s < blocks; ++s) {
      double block_of_all[4][4];
      quad.share(team, row(s, s), block_of_all);
      const TilePivot pivot(block_of_all);
#pragma unroll
      for (int a = s + 1; a < blocks; ++a) pivot.eliminate(row(a, s));
#pragma unroll
      for (int b = s + 1; b < blocks; ++b) eliminate(team, quad, s, b, pivot);
#pragma unroll
      for (int c = 0; c < 4; ++c)
        row(s, s)[c] = scale * select(t, pivot.inverse[packed_place(0, c)], pivot.inverse[packed_place(1, c)],
                                      pivot.inverse[packed_place(2, c)], pivot.inverse[packed_place(3, c)]);
    }
    team.sync_warp();
    place_of_metric(8 * team.warp + team.lane / 4)[32 * t] = select(t, q[0], q[1], q[2], q[3]);
    if (t < 2) place_of_metric(8 * team.warp + team.lane / 4)[32 * (4 + t)] = t == 0 ? q[4] : q[5];
  }

  /// q <- that of the lane's element, when the team has met.
  __device__ __forceinline__ void metric(const TileTeam& team, double (&q)[6]) const {
#pragma unroll
    for (int k = 0; k < 6; ++k) q[k] = place_of_metric(team.lane)[32 * k];
  }

  /// to <- z of the rows w in `from`, both in shared memory; `to` may be `from`.
  __device__ __forceinline__ void apply(const TileTeam& team, const double* from, double* to) const {
    const int t = team.lane % 4;
    const int place = t * tile_stride + 8 * team.warp + team.lane / 4;
    double w[blocks];
    double z[blocks];
#pragma unroll
    for (int a = 0; a < blocks; ++a) w[a] = 4 * a + t < top ? from[4 * a * tile_stride + place] : 0;
#pragma unroll
    for (int s = 0; s < blocks; ++s) {
      double all[4];
#pragma unroll
      for (int c = 0; c < 4; ++c) all[c] = team.from_lane(w[s], team.lane - t + c);
#pragma unroll
      for (int a = s + 1; a < blocks; ++a)
#pragma unroll
        for (int c = 0; c < 4; ++c) w[a] -= row(a, s)[c] * all[c];
      z[s] = 0;
#pragma unroll
      for (int c = 0; c < 4; ++c) z[s] += row(s, s)[c] * all[c];
    }
#pragma unroll
    for (int s = blocks - 2; s >= 0; --s) {
      double part[4] = {};
#pragma unroll
      for (int b = blocks - 1; b > s; --b)
#pragma unroll
        for (int c = 0; c < 4; ++c) part[c] += row(b, s)[c] * z[b];
      z[s] -= sum_of_quad(team, part);
    }
#pragma unroll
    for (int a = 0; a < blocks; ++a)
      if (4 * a + t < top) to[4 * a * tile_stride + place] = z[a];
  }

 private:
  double* exchange_;
  double rows_[blocks * (blocks + 1) / 2][4];  ///< the lane's row of the blocks of the lower triangle
  __device__ __forceinline__ double (&row(int a, int b))[4] { return rows_[a * (a + 1) / 2 + b]; }
  __device__ __forceinline__ const double (&row(int a, int b) const)[4] { return rows_[a * (a + 1) / 2 + b]; }

  /// Place of an element's six metric numbers, in memory that its warp's exchange has used.
  __device__ __forceinline__ double* place_of_metric(int element) const {
    return exchange_ + element / 8 * (16 * quad_stride) + element;
  }

  __device__ __forceinline__ static double select(int t, double of_0, double of_1, double of_2, double of_3) {
    return t < 2 ? (t == 0 ? of_0 : of_1) : (t == 2 ? of_2 : of_3);
  }

  /// Y = sum of the components of adj q, of which the lane has t and 4 + t, times constant matrices.
  __device__ __forceinline__ void make(const TileTeam& team, double low, double high, const double* table) {
#pragma unroll
    for (int i = 0; i < blocks * (blocks + 1) / 2; ++i)
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) {
        const double* entries = table + (2 * i + pair) * 64 + team.lane;
        double c[2] = {};
        multiply_small_tile(c, low, entries[0]);
        multiply_small_tile(c, high, entries[32]);
        rows_[i][2 * pair] = c[0];
        rows_[i][2 * pair + 1] = c[1];
      }
#pragma unroll
    for (int c = top % 4; c < 4 && top % 4 != 0; ++c)  // rows beyond the matrix: of the unit matrix
      if (team.lane % 4 == c) row(blocks - 1, blocks - 1)[c] = 1;
  }

  /// Rows of 4 x 4 from lane to lane of a quad. What is read in one turn is written again two turns later.
  class Exchange {
   public:
    __device__ __forceinline__ Exchange(const TileTeam& team, double* memory)
        : place_(memory + (16 * team.warp + team.lane / 4) * quad_stride) {}

    __device__ __forceinline__ void share(const TileTeam& team, const double (&own)[4], double (&all)[4][4]) {
      double2* place = reinterpret_cast<double2*>(place_ + turn_ % 2 * (8 * quad_stride));
      ++turn_;
      place[team.lane % 4 * 2] = make_double2(own[0], own[1]);
      place[team.lane % 4 * 2 + 1] = make_double2(own[2], own[3]);
      team.sync_warp();
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const double2 two = place[i];
        all[i / 2][i % 2 * 2] = two.x;
        all[i / 2][i % 2 * 2 + 1] = two.y;
      }
    }

   private:
    double* place_;
    int turn_ = 0;
  };

  /// Takes pivot s out of column b of the block rows from b on, and leaves L in block (b, s).
  __device__ __forceinline__ void eliminate(const TileTeam& team, Exchange& quad, int s, int b,
                                            const TilePivot& pivot) {
    double l[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) l[c] = row(b, s)[c] * pivot.inverse_d[c];
    double all[4][4];
    quad.share(team, l, all);
#pragma unroll
    for (int a = b; a < blocks; ++a)
#pragma unroll
      for (int c = 0; c < 4; ++c)
#pragma unroll
        for (int k = 0; k < 4; ++k) row(a, b)[c] -= row(a, s)[k] * all[c][k];
    pivot.finish(l);
#pragma unroll
    for (int c = 0; c < 4; ++c) row(b, s)[c] = l[c];
  }

  /// In lane t the sum of part[t] of the four lanes.
  __device__ __forceinline__ static double sum_of_quad(const TileTeam& team, const double (&part)[4]) {
    const bool upper = (team.lane & 2) != 0;
    const bool odd = (team.lane & 1) != 0;
    const double even_part = (upper ? part[2] : part[0]) + team.from_lane(upper ? part[0] : part[2], team.lane ^ 2);
    const double odd_part = (upper ? part[3] : part[1]) + team.from_lane(upper ? part[1] : part[3], team.lane ^ 2);
    return (odd ? odd_part : even_part) + team.from_lane(odd ? even_part : odd_part, team.lane ^ 1);
  }
};

/// to <- M^-1 from for the low modes, rows of shared memory, by the metric q; `to` may be `from`.
template <class Basis>
__device__ __forceinline__ void invert_tile_low(const TileTeam& team, const double (&q)[6], const double* from,
                                                double* to) {
  constexpr int modes = Basis::low_modes;
#pragma unroll
  for (int first = 0; first < modes; first += tile_warps) {
    const int mode = first + team.warp;
    if (mode < modes) {
      const double* w = from + mode * tile_stride + team.lane;
      const double w0 = w[0];
      const double w1 = w[modes * tile_stride];
      const double w2 = w[2 * modes * tile_stride];
      double* z = to + mode * tile_stride + team.lane;
      z[0] = q[0] * w0 + q[1] * w1 + q[2] * w2;
      z[modes * tile_stride] = q[1] * w0 + q[3] * w1 + q[4] * w2;
      z[2 * modes * tile_stride] = q[2] * w0 + q[4] * w1 + q[5] * w2;
    }
  }
}

/// Likewise for all modes.
template <class Basis>
__device__ __forceinline__ void invert_tile_mass(const TileTeam& team, const TileTop<Basis>& top, const double* from,
                                                 double* to) {
  double q[6];
  top.metric(team, q);
  invert_tile_low<Basis>(team, q, from, to);
  constexpr int low = 3 * Basis::low_modes;
  top.apply(team, from + low * tile_stride, to + low * tile_stride);
}

}  // namespace tetrawave::cuda
