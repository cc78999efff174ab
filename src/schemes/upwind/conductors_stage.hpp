// Conductors with a skin effect in a stage of DGTD-Upwind (theory/walls). One wall face of an element at a time; with
// e, h its traces, branches b and s = sum_b R_b i_b,
//   e' += P s,   h' += Q s,   i_b' = p_b ( T e + along h + back s - i_b ),
// P = M_e^-1 D/(Z + R), Q = M_h^-1 F Z/(Z + R), T = F^-1 D/(Z + R), along = Z/(Z + R), back = 1/(Z + R).
#pragma once

#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Rows of the law of a wall face: along, back, then R_b and dt p_b of every branch.
TW_FN constexpr int conductor_numbers(int branches) { return 2 + 2 * branches; }

/// Faces of different elements, in blocks of lanes. The branches are unknowns of the Runge-Kutta method. With LTS
/// (`length` > 0) old fields are integrals over a step of so many smallest ones, to which `law` and the matrices
/// belong, and branches are integrated by the trapezoidal rule (theory/lts).
template <class S>
struct UpwindConductors {
  using Scalar = S;
  int branches = 0;
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* face = nullptr;     ///< 1 row
  const S* law = nullptr;                 ///< conductor_numbers rows
  const S* turn = nullptr;                ///< face_dofs * face_dofs rows: T, column by column
  const S* electric = nullptr;            ///< face_dofs * n rows: dt P
  const S* magnetic = nullptr;            ///< face_dofs * n rows: dt Q
  S* memory = nullptr;                    ///< branches * face_dofs rows: i_b
  S* registers = nullptr;                 ///< likewise
  const S* old_electric = nullptr;
  const S* old_magnetic = nullptr;
  S* new_electric = nullptr;
  S* new_magnetic = nullptr;
  S a = 0;
  S b = 1;
  S length = 0;  ///< then there are no registers

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    using R = typename Lane::Number;
    const auto own = lane.load_integer(element, 1, 0);
    const auto number = lane.load_integer(face, 1, 0);
    R sums[Basis::face_dofs];
    for (int k = 0; k < Basis::face_dofs; ++k) {
      const R driven = along_wall<Basis>(lane, own, number, k);
      if (length > 0) {
        sums[k] = advance_over_step<Basis>(lane, k, driven);
      } else {
        sums[k] = sum_of_branches<Basis>(lane, k);
        advance<Basis>(lane, k, driven + number_of(lane, 1) * sums[k]);
      }
    }
    push<Basis>(lane, own, sums, electric, new_electric);
    push<Basis>(lane, own, sums, magnetic, new_magnetic);
  }

 private:
  template <class Lane>
  TW_FN auto number_of(const Lane& lane, int row) const {
    return lane.load(law, conductor_numbers(branches), row);
  }

  template <class Basis, class Lane>
  TW_FN auto sum_of_branches(const Lane& lane, int k) const {
    typename Lane::Number sum = {};
    for (int i = 0; i < branches; ++i)
      sum += number_of(lane, 2 + 2 * i) * lane.load(memory, branches * Basis::face_dofs, i * Basis::face_dofs + k);
    return sum;
  }

  /// T e + along h.
  template <class Basis, class Lane, class Integer>
  TW_FN auto along_wall(const Lane& lane, const Integer& own, const Integer& number, int k) const {
    constexpr int nf = Basis::face_dofs;
    typename Lane::Number current =
        number_of(lane, 0) * lane.gather(old_magnetic, Basis::dofs, own, lane.byte(Basis::rows_of(k), number));
    for (int j = 0; j < nf; ++j)
      current += lane.load(turn, nf * nf, j * nf + k) *
                 lane.gather(old_electric, Basis::dofs, own, lane.byte(Basis::rows_of(j), number));
    return current;
  }

  /// With W the integral of T e + along h, S that of s, l the length and t_b = l dt p_b/2:
  ///   S (1 - back sum R_b t_b/(1 + t_b)) = l sum R_b i_b/(1 + t_b) + W sum R_b t_b/(1 + t_b),
  ///   i_b+ = ((1 - t_b) i_b + (2 t_b/l) (W + back S))/(1 + t_b);   returns S.
  template <class Basis, class Lane, class R>
  TW_FN R advance_over_step(const Lane& lane, int k, const R& driven) const {
    constexpr int nf = Basis::face_dofs;
    R kept = R{};
    R pushed = R{};
    for (int i = 0; i < branches; ++i) {
      const R t = S(0.5) * length * number_of(lane, 3 + 2 * i);
      const R share = number_of(lane, 2 + 2 * i) / (t + S(1));
      kept += share * lane.load(memory, branches * nf, i * nf + k);
      pushed += share * t;
    }
    const R sum = (length * kept + pushed * driven) / (R{} + S(1) - number_of(lane, 1) * pushed);
    for (int i = 0; i < branches; ++i) {
      const R t = S(0.5) * length * number_of(lane, 3 + 2 * i);
      const R x = lane.load(memory, branches * nf, i * nf + k);
      const R gain = t * (driven + number_of(lane, 1) * sum) * (S(2) / length);
      lane.store(memory, branches * nf, i * nf + k, (x - t * x + gain) / (t + S(1)));
    }
    return sum;
  }

  template <class Basis, class Lane, class R>
  TW_FN void advance(const Lane& lane, int k, const R& current) const {
    constexpr int nf = Basis::face_dofs;
    for (int i = 0; i < branches; ++i) {
      const int row = i * nf + k;
      const R x = lane.load(memory, branches * nf, row);
      const R w = a * lane.load(registers, branches * nf, row) + number_of(lane, 3 + 2 * i) * (current - x);
      lane.store(registers, branches * nf, row, w);
      lane.store(memory, branches * nf, row, x + b * w);
    }
  }

  template <class Basis, class Lane, class Integer, class R>
  TW_FN void push(const Lane& lane, const Integer& own, const R* sums, const S* matrix, S* values) const {
    constexpr int n = Basis::dofs;
    for (int i = 0; i < n; ++i) {
      R amount = {};
      for (int k = 0; k < Basis::face_dofs; ++k) amount += lane.load(matrix, Basis::face_dofs * n, k * n + i) * sums[k];
      lane.scatter(values, n, own, i, lane.gather(values, n, own, lane.all(i)) + b * amount);
    }
  }
};

}  // namespace tetrawave::kernels
