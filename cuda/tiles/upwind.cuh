// A stage of DGTD-Upwind in tiles (schemes/upwind/stage.hpp has the equations).
#pragma once

#include "cuda/tiles/faces.cuh"
#include "cuda/tiles/spaces.cuh"
#include "cuda/tiles/top.cuh"
#include "schemes/upwind/stage.hpp"

namespace tetrawave::cuda {

/// `S`: of the fields; numbers are of double precision from shared memory on.
template <class Basis, class S>
struct UpwindTile {
  using Kernel = kernels::UpwindStage<S>;
  static constexpr int n = Basis::dofs;
  using Rates = typename TileSpace<Basis>::Upwind;  ///< of the other field and the components along the four faces
  using Matrices = TileMatrices<Basis, Rates>;

  // Rows of shared memory, for the equation of E: h, and for each face the trace of h beyond it, whose place what comes
  // through it takes; and the same with e for the equation of H.
  static constexpr int field_rows = Rates::depth;
  static constexpr int team_rows = 2 * field_rows;
  static_assert(2 * Basis::face_modes >= Basis::face_dofs &&
                Rates::depth >= n + Rates::result_rows + TileTop<Basis>::exchange_rows);

  __device__ static void start(const TileTeam& team, double* rows) { clear_tile_rows(team, rows, 0, team_rows); }

  __device__ __forceinline__ static const std::int32_t* kinds(const Kernel& kernel) { return kernel.kinds; }

  __device__ static void run(const Kernel& kernel, const TileTeam& team, const TileLook& look, std::int64_t block,
                             const double* shared, double* rows) {
    const ThreadLane<S> lane{block, team.lane};
    const auto word = look.word;
    const auto neighbour = look.neighbour;
    const auto face = (word >> (3 * team.warp)) & 7;
    double* h = rows;
    double* e = rows + field_rows * tile_stride;
    const int beyond = (n + 2 * Basis::face_modes * team.warp) * tile_stride + team.lane;
    copy_tile_trace<Basis>(lane, kernel.magnetic.old_values, neighbour, face, h + beyond);
    copy_tile_trace<Basis>(lane, kernel.electric.old_values, neighbour, face, e + beyond);
    copy_tile_rows<n>(team, kernel.magnetic.old_values, block, h);
    copy_tile_rows<n>(team, kernel.electric.old_values, block, e);
    const double sign = (word >> kernels::ElementWord::sign_shift) & 1 ? -1.0 : 1.0;
    double g[3];
    tile_face_metric(lane, kernel.elements.metric, team.warp, g);
    const auto kind = look.kind * kernels::face_coefficients;
    wait_for_copies();
    widen_tile_rows<n, S>(team, h);
    widen_tile_rows<n, S>(team, e);
    team.sync();
    flow(kernel, team, kind, sign, g, h, e, beyond);
    team.sync();
    const auto material = word >> kernels::ElementWord::class_shift;
#pragma unroll 1
    for (int field = 0; field < 2; ++field)
      advance(kernel, field == 0 ? kernel.electric : kernel.magnetic, lane, team, material, field == 0 ? sign : -sign,
              shared, field == 0 ? h : e, field == 0 ? e : h);
    team.sync();  // before the rows are filled again
  }

 private:
  using Field = kernels::UpwindField<S>;

  /// What comes through the warp's face takes the place of the traces beyond it.
  __device__ static void flow(const Kernel& kernel, const TileTeam& team, int kind, double sign, const double (&g)[3],
                              double* h, double* e, int beyond) {
    constexpr int m = Basis::face_modes;
    double* to_e = h + beyond;
    double* to_h = e + beyond;
    const double sigma = tile_face_sign<Basis>(team.warp);
    const S* c = kernel.coefficients + kind;
    double from_h[2 * m];
    {
      const TileTraces<Basis, S> u({__ldg(c), __ldg(c + 1)}, {__ldg(c + 6) * -sign, __ldg(c + 7) * -sign}, to_e,
                                   h + team.lane, team.warp);
#pragma unroll
      for (int i = 0; i < m; ++i) {
        to_e[i * tile_stride] = -sigma * u.turn(m + i);
        to_e[(m + i) * tile_stride] = sigma * u.turn(i);
        from_h[i] = g[0] * u.along(i) + g[1] * u.along(m + i);
        from_h[m + i] = g[1] * u.along(i) + g[2] * u.along(m + i);
      }
    }
    const TileTraces<Basis, S> u({__ldg(c + 4), __ldg(c + 5)}, {__ldg(c + 2) * sign, __ldg(c + 3) * sign}, to_h,
                                 e + team.lane, team.warp);
#pragma unroll
    for (int i = 0; i < m; ++i) {
      to_h[i * tile_stride] = from_h[i] - sigma * u.turn(m + i);
      to_h[(m + i) * tile_stride] = from_h[m + i] + sigma * u.turn(i);
      to_e[i * tile_stride] += g[0] * u.along(i) + g[1] * u.along(m + i);
      to_e[(m + i) * tile_stride] += g[1] * u.along(i) + g[2] * u.along(m + i);
    }
  }
  /// The new values of one field, from the other one and what came through the faces. `own`: rows of
  /// the field itself.
  __device__ __forceinline__ static void advance(const Kernel& kernel, const Field& field, const ThreadLane<S>& lane,
                                                 const TileTeam& team, std::uint32_t material, double sign,
                                                 const double* shared, double* rows, const double* own) {
    double* modes = rows + n * tile_stride;  // the field's own rows are needed once more
    TileProduct<Rates> rates(team);
    rates.add(team, shared, rows);
    team.sync();
    rates.put(modes);
    const TilePairs<typename Matrices::Dofs, S> before(team, field.new_values, lane.block);
    const TileTop<Basis> top(team, field.metric, lane.block, shared + Matrices::before_top,
                             modes + Rates::result_rows * tile_stride);
    team.sync();
    invert_tile_mass<Basis>(team, top, modes, modes);
    team.sync();
    TileProduct<typename Matrices::Dofs> rate(team);
    rate.add(team, shared + Rates::entries, modes);
    const double gain = lane.lookup(field.gain, material) * sign;
    const double loss = lane.lookup(field.loss, material);
    rate.template with_lanes<2>(
        team, {gain, loss},
        [&](int i, int row, int element, double r0, double r1, const double(&first)[2], const double(&second)[2]) {
          const double2 u = *reinterpret_cast<const double2*>(own + row * tile_stride + element);
          store_pair(field.new_values, lane.block, n, row, element,
                     kernel.advanced(double(before.at[i].x), u.x, first[0] * r0 - first[1] * u.x),
                     kernel.advanced(double(before.at[i].y), u.y, second[0] * r1 - second[1] * u.y));
        });
  }
};

}  // namespace tetrawave::cuda
