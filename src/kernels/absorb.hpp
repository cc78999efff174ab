// Absorbing and port faces of DGTD-Central (dissertation eq. 4.37-4.41, THEORY.md 7).
//
// The face mass F_f of an open wall is averaged over the step, so it is implicit within its element. With S_f = Y/4 F_f
// (E; Z/4 F_f for H), A0 = (eps/dt + sigma/2) M + sum_f S_f (dually for H) and g_f the moments of the incident wave,
//   u_new = u~ - A0^-1 sum_f R_f^T [ S_f (R_f u~ + R_f u_old) - g_f w(t) ],
// u~ being what CentralUpdate left (u+ = 0 on such faces). The matrices A0^-1 R_f^T [S_f | g_f] are made at set-up.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Corrects the elements of a list that have `faces` absorbing faces each. The list stands in blocks of lanes too.
template <class S>
struct Absorb {
  using Scalar = S;
  int faces = 0;  ///< absorbing faces of every element of this list, 1..4
  S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* face = nullptr;     ///< `faces` rows: face number
  const std::int32_t* wave = nullptr;     ///< `faces` rows: row of `waves`; row 0 is silent
  const S* matrix = nullptr;              ///< faces * (face_dofs + 1) * dofs rows
  S* trace = nullptr;                     ///< faces * face_dofs rows: R_f u of the step before, then of this one
  const S* waves = nullptr;               ///< [wave][step]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    R change[Basis::dofs] = {};
    for (int j = 0; j < faces; ++j) add_face<Basis>(lane, own, j, change);
    R u[Basis::dofs];
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      u[i] = lane.gather(field, Basis::dofs, own, lane.all(i)) - change[i];
      lane.scatter(field, Basis::dofs, own, i, u[i]);
    }
    for (int j = 0; j < faces; ++j) remember<Basis>(lane, own, j);
  }

 private:
  template <class Basis, class Lane, class Integer, class R>
  TW_FN void add_face(const Lane& lane, const Integer& own, int j, R* change) const {
    const auto number = lane.load_integer(face, faces, j);
    constexpr int columns = Basis::face_dofs + 1;
    const int traces = faces * Basis::face_dofs;
    TW_UNROLL
    for (int k = 0; k <= Basis::face_dofs; ++k) {
      R input;
      if (k < Basis::face_dofs) {
        const R now = lane.gather(field, Basis::dofs, own, lane.byte(Basis::rows_of(k), number));
        input = now + lane.load(trace, traces, j * Basis::face_dofs + k);
      } else {
        input = -lane.lookup_wave(waves, wave_length, lane.load_integer(wave, faces, j), *step);
      }
      const int rows = faces * columns * Basis::dofs;
      TW_UNROLL
      for (int i = 0; i < Basis::dofs; ++i)
        change[i] += lane.load(matrix, rows, (j * columns + k) * Basis::dofs + i) * input;
    }
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void remember(const Lane& lane, const Integer& own, int j) const {
    const auto number = lane.load_integer(face, faces, j);
    TW_UNROLL
    for (int k = 0; k < Basis::face_dofs; ++k)
      lane.store(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k,
                 lane.gather(field, Basis::dofs, own, lane.byte(Basis::rows_of(k), number)));
  }
};

}  // namespace tetrawave::kernels
