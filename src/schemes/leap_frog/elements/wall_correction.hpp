// Elements whose walls are implicit within their step: absorbing faces, ports, surface impedances, and in DFDD-ELD the
// dofs held at zero by metal (theory/walls, theory/dfdd).
//
// With u~ the result of the update kernel, u_old the previous field, v the other field, R_f the trace on wall face f,
//   u_new = u~ - sum_f ( P_f R_f (u~ + u_old) + Q_f R_f v - p_f w(t) ),
// (with time_order 4 R_f u_old in place of R_f v) with the matrices P_f, Q_f (n x face_dofs) and the vectors p_f
// computed at set-up. In DFDD-ELD u is a rate, and the integrated field is corrected by dt times the same amount.
//
// Conductors with a skin effect have states (theory/walls): with J the trace of h and branches b
//   i_b <- a_b i_b + c_b J,
// sum_b r_b i_b (the old i_b) is subtracted from R_f (u~ + u_old) in the equation of h, and (the mean of old and new
// i_b) from R_f v in the equation of e; r_b includes the factor of the equation. In DFDD-ELD (theory/walls) both
// equations are like that of h, with J the mean of the own traces before and after the step.
#pragma once

#include "kernels/element_block.hpp"

namespace tetrawave::kernels {

/// Constants of a branch.
inline constexpr int branch_numbers = 3;

/// A team of one member.
template <class Lane, int most>
struct Alone {
  using R = typename Lane::Number;
  static constexpr int size = 1;
  R numbers[most];
  TW_FN int rank() const { return 0; }
  TW_FN void sync() const {}
  TW_FN void put(int place, const R& number) { numbers[place] = number; }
  TW_FN R get(int place) const { return numbers[place]; }
};

/// Corrects the elements of a list that have `faces` wall faces each. The list is in blocks of lanes too. The columns
/// of `matrix`: face by face P_f | Q_f if `other` is given, then p_f of all faces.
template <class S>
struct WallCorrection {
  using Scalar = S;
  int faces = 0;  ///< wall faces of every element of this list, 1..4
  S* field = nullptr;
  S* advanced = nullptr;                  ///< the field whose rate `field` is, or null
  S advance = 0;                          ///< dt of that field
  bool with_other = false;                ///< `matrix` has columns of the other field
  const S* other = nullptr;               ///< null: zero
  bool of_old = false;                    ///< those columns are of the previous traces of `field` instead
  const std::int32_t* element = nullptr;  ///< 1 row
  const std::int32_t* face = nullptr;     ///< `faces` rows: face number
  const std::int32_t* wave = nullptr;     ///< `faces` rows: row of `waves`; row 0 is zero
  const S* matrix = nullptr;              ///< faces * columns * dofs rows
  S* trace = nullptr;                     ///< faces * face_dofs rows: R_f u of the previous step, then of this one
  const S* waves = nullptr;               ///< [wave][step]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step
  int branches = 0;                    ///< of conductors
  bool of_electric = false;            ///< the equation of e: J is the trace of `other`
  bool of_means = false;               ///< J is the mean of the traces before and after the step
  const S* branch = nullptr;           ///< faces * branches * branch_numbers rows: r_b, a_b, c_b
  S* memory = nullptr;                 ///< faces * branches * face_dofs rows: i_b

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    Alone<Lane, 4 * (2 * Basis::face_dofs + 1)> alone;
    share<Basis>(lane, alone);
  }

  /// Number of values that a team stores for a lane.
  template <class Basis>
  TW_FN int inputs() const {
    return faces * (functions<Basis>() + 1);
  }
  /// By the lane of every member of a team that shares a block of the list: `rank()` of `size`, `sync()`, and numbers
  /// of the lane visible to all members, `put(place, number)`, `get(place)`. Lists are short: the time of a kernel is
  /// that of its loads, including instructions, waiting for one another.
  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    const auto own = lane.load_integer(element, 1, 0);
    TW_UNROLL_DEVICE_BY(1)
    for (int c = team.rank(); c < inputs<Basis>(); c += Team::size) team.put(c, input<Basis>(lane, own, c));
    team.sync();
    correct<Basis>(lane, team, own);
    team.sync();
    TW_UNROLL_DEVICE_BY(1)
    for (int c = team.rank(); c < faces * Basis::face_dofs; c += Team::size)
      remember<Basis>(lane, own, c / Basis::face_dofs, c % Basis::face_dofs);
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

  /// Trace functions of a face that have a column.
  template <class Basis>
  TW_FN int functions() const {
    return (with_other ? 2 : 1) * Basis::face_dofs;
  }

  /// The multiplier of a column.
  template <class Basis, class Lane, class Integer>
  TW_FN typename Lane::Number input(const Lane& lane, const Integer& own, int column) const {
    using R = typename Lane::Number;
    const int waves_from = faces * functions<Basis>();
    if (column >= waves_from)
      return -lane.lookup_wave(waves, wave_length, lane.load_integer(wave, faces, column - waves_from), *step);
    const int j = column / functions<Basis>();
    const int place = column % functions<Basis>();
    const bool of_other = place >= Basis::face_dofs;
    const int k = of_other ? place - Basis::face_dofs : place;
    if (of_other && of_old) return lane.load(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k);
    if (of_other && other == nullptr) return R{};
    const auto row = lane.byte(Basis::rows_of(k), lane.load_integer(face, faces, j));
    R value = lane.gather(of_other ? other : field, Basis::dofs, own, row);
    if (!of_other) value = value + lane.load(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k);
    if (branches > 0 && of_other == of_electric) value = value - remembered<Basis>(lane, j, k, value, of_electric);
    return value;
  }

  /// The member's rows of the fields.
  template <class Basis, class Lane, class Team, class Integer>
  TW_FN void correct(const Lane& lane, const Team& team, const Integer& own) const {
    using R = typename Lane::Number;
    constexpr int n = Basis::dofs;
    constexpr int rows = Team::size == 1 ? n : 1;  // at once
    const int total = inputs<Basis>();
    TW_UNROLL_DEVICE_BY(1)
    for (int first = team.rank() * rows; first < n; first += Team::size * rows) {
      R change[rows] = {};
      const auto add_column = [&](int column, const R& amount) {
        TW_UNROLL
        for (int i = 0; i < rows; ++i) change[i] += lane.load(matrix, total * n, column * n + first + i) * amount;
      };
      TW_UNROLL_DEVICE_BY(4)
      for (int c = 0; c < total - faces; ++c) add_column(c, team.get(c));
      TW_UNROLL_DEVICE_BY(1)
      for (int c = total - faces; c < total; ++c) {
        const R amount = team.get(c);
        if (lane.some(amount)) add_column(c, amount);
      }
      const auto take = [&](S* values, S factor) {
        R u[rows];
        TW_UNROLL_BY(4)  // a gather is an instruction a lane: more make GCC's combiner slow, not the kernel fast
        for (int i = 0; i < rows; ++i) u[i] = lane.gather(values, n, own, lane.all(first + i));
        TW_UNROLL_BY(4)
        for (int i = 0; i < rows; ++i) lane.scatter(values, n, own, first + i, u[i] - factor * change[i]);
      };
      take(field, S(1));
      if (advanced != nullptr) take(advanced, advance);
    }
  }

  template <class Basis, class Lane, class Integer>
  TW_FN void remember(const Lane& lane, const Integer& own, int j, int k) const {
    const auto number = lane.load_integer(face, faces, j);
    const auto value = lane.gather(field, Basis::dofs, own, lane.byte(Basis::rows_of(k), number));
    if (branches > 0 && of_means) {
      const auto old = lane.load(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k);
      (void)remembered<Basis>(lane, j, k, (value + old) * S(0.5), true);
    } else if (branches > 0 && !of_electric) {
      (void)remembered<Basis>(lane, j, k, value, true);
    }
    lane.store(trace, faces * Basis::face_dofs, j * Basis::face_dofs + k, value);
  }
};

/// The lists of one field, in sequence, in one launch.
template <class S>
struct WallCorrections {
  using Scalar = S;
  static constexpr int most = 4;
  WallCorrection<S> list[most];
  std::int64_t end[most] = {};  ///< the next list's first block in the launch
  int count = 0;

  [[nodiscard]] bool is_full() const { return count == most; }
  [[nodiscard]] std::int64_t blocks() const { return count == 0 ? 0 : end[count - 1]; }
  /// `length`: blocks of the list.
  void add(const WallCorrection<S>& one, std::int64_t length) {
    end[count] = blocks() + length;
    list[count] = one;
    ++count;
  }

  template <class Basis, class Lane>
  TW_FN void run(const Lane& lane) const {
    const int k = list_at(lane.block);
    list[k].template run<Basis>(inside(lane, k));
  }
  template <class Basis>
  [[nodiscard]] int inputs() const {
    int largest = 0;
    for (int k = 0; k < count; ++k) {
      const int own = list[k].template inputs<Basis>();
      largest = own > largest ? own : largest;
    }
    return largest;
  }
  template <class Basis, class Lane, class Team>
  TW_FN void share(const Lane& lane, Team& team) const {
    const int k = list_at(lane.block);
    list[k].template share<Basis>(inside(lane, k), team);
  }

 private:
  TW_FN int list_at(std::int64_t block) const {
    int k = 0;
    while (k < most - 1 && block >= end[k]) ++k;
    return k;
  }
  template <class Lane>
  TW_FN Lane inside(Lane lane, int k) const {
    if (k > 0) lane.block -= end[k - 1];
    return lane;
  }
};

}  // namespace tetrawave::kernels
