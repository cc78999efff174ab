// Elements whose walls are implicit within their step: absorbing faces, ports, surface impedances, and in DFDD-ELD the
// dofs that a wall of metal holds at zero (THEORY.md 7, 16).
//
// With u~ what the update kernel has left, u_old the field before it, v the other field, R_f the trace on wall face f,
//   u_new = u~ - sum_f ( P_f R_f (u~ + u_old) + Q_f R_f v - p_f w(t) ),
// the matrices P_f, Q_f (n x face_dofs) and the vectors p_f being made at set-up. In DFDD-ELD u is a rate, and the
// field that it advances is corrected by dt times the same amount.
//
// Walls of metal with a skin effect remember (THEORY.md 7): with J the trace of h and branches b
//   i_b <- a_b i_b + c_b J,
// sum_b r_b i_b (the old i_b) is taken from R_f (u~ + u_old) in the equation of h, and (the mean of old and new i_b)
// from R_f v in the equation of e; r_b has the factor of the equation in it. In DFDD-ELD (THEORY.md 27) both equations
// are like that of h, with J the mean of the own traces before and after the step.
#pragma once

#include "kernel_terms.hpp"
#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Constants of a branch.
inline constexpr int branch_numbers = 3;

/// Corrects the elements of a list that have `faces` wall faces each. The list stands in blocks of lanes too. The
/// columns of `matrix`, face by face: P_f | Q_f where `other` is given | p_f.
template <class S>
struct WallCorrection {
  using Scalar = S;
  int faces = 0;  ///< wall faces of every element of this list, 1..4
  S* field = nullptr;
  S* advanced = nullptr;  ///< the field whose rate `field` is, or null
  S advance = 0;          ///< dt of that field
  const S* other = nullptr;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* face = nullptr;     ///< `faces` rows: face number
  const std::int32_t* wave = nullptr;     ///< `faces` rows: row of `waves`; row 0 is silent
  const S* matrix = nullptr;              ///< faces * columns * dofs rows
  S* trace = nullptr;                     ///< faces * face_dofs rows: R_f u of the step before, then of this one
  const S* waves = nullptr;               ///< [wave][step]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step
  int branches = 0;                    ///< of walls that remember
  bool of_electric = false;            ///< the equation of e: J is the trace of `other`
  bool of_means = false;               ///< J is the mean of the traces before and after the step
  const S* branch = nullptr;           ///< faces * branches * branch_numbers rows: r_b, a_b, c_b
  S* memory = nullptr;                 ///< faces * branches * face_dofs rows: i_b

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    R change[Basis::dofs] = {};
    for (int j = 0; j < faces; ++j) add_face<Basis>(lane, own, j, change);
    TW_UNROLL
    for (int i = 0; i < Basis::dofs; ++i) {
      const R u = lane.gather(field, Basis::dofs, own, lane.all(i)) - change[i];
      lane.scatter(field, Basis::dofs, own, i, u);
      if (advanced != nullptr) {
        const R a = lane.gather(advanced, Basis::dofs, own, lane.all(i)) - advance * change[i];
        lane.scatter(advanced, Basis::dofs, own, i, a);
      }
    }
    for (int j = 0; j < faces; ++j) remember<Basis>(lane, own, j);
  }

 private:
  /// Sum of r_b times the mean of old and new i_b (`moves`), or the old ones, for trace function k of face j.
  template <class Basis, class Lane, class R>
  TW_FN R remembered(const Lane& lane, int j, int k, const R& current, bool moves) const {
    R sum = {};
    for (int b = 0; b < branches; ++b) {
      const int row = (j * branches + b) * Basis::face_dofs + k;
      const R old = lane.load(memory, faces * branches * Basis::face_dofs, row);
      const int first = (j * branches + b) * branch_numbers;
      const R share = lane.load(branch, faces * branches * branch_numbers, first);
      if (!moves) {
        sum += share * old;
        continue;
      }
      const R now = lane.load(branch, faces * branches * branch_numbers, first + 1) * old +
                    lane.load(branch, faces * branches * branch_numbers, first + 2) * current;
      lane.store(memory, faces * branches * Basis::face_dofs, row, now);
      sum += share * (S(0.5) * (old + now));
    }
    return sum;
  }

  template <class Basis, class Lane, class Integer, class R>
  TW_FN void add_face(const Lane& lane, const Integer& own, int j, R* change) const {
    const auto number = lane.load_integer(face, faces, j);
    const int traces = faces * Basis::face_dofs;
    const int columns = (other != nullptr ? 2 : 1) * Basis::face_dofs + 1;
    for (int k = 0; k < columns; ++k) {
      R input;
      if (k < Basis::face_dofs) {
        const R now = lane.gather(field, Basis::dofs, own, lane.byte(Basis::rows_of(k), number));
        input = now + lane.load(trace, traces, j * Basis::face_dofs + k);
        if (branches > 0 && !of_electric) input = input - remembered<Basis>(lane, j, k, input, false);
      } else if (k < columns - 1) {
        input = lane.gather(other, Basis::dofs, own, lane.byte(Basis::rows_of(k - Basis::face_dofs), number));
        if (branches > 0 && of_electric) input = input - remembered<Basis>(lane, j, k - Basis::face_dofs, input, true);
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
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const auto value = lane.gather(field, Basis::dofs, own, lane.byte(Basis::rows_of(k), number));
      if (branches > 0 && of_means) {
        const auto old = lane.load(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k);
        (void)remembered<Basis>(lane, j, k, (value + old) * S(0.5), true);
      } else if (branches > 0 && !of_electric) {
        (void)remembered<Basis>(lane, j, k, value, true);
      }
      lane.store(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k, value);
    }
  }
};

}  // namespace tetrawave::kernels
