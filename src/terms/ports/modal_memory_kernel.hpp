// What a port of one mode with dispersion remembers (theory/ports): of the wave g that has left it, x_k' = p_k x_k +
// r_k g; sum Re x_k joins the wave w that its source sends, and g = v - w. One team per such port.
#pragma once

#include <cstdint>

#include "kernels/sample.hpp"

namespace tetrawave::kernels {

/// What the kernels have of all such ports; `terms` exponentials each, unused ones zero.
template <class S>
struct ModalMemoryView {
  int terms = 0;
  double* state = nullptr;             ///< [memory][term] (re, im)
  const std::int32_t* port = nullptr;  ///< per memory: its number among the ports of one mode
  const std::int32_t* row = nullptr;   ///< per memory: of `waves`
  S* waves = nullptr;                  ///< [wave][time]: what the source sends, then w
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;
  std::int64_t times = 1;  ///< entries of a step, and which of them it is
  std::int64_t time = 0;

  /// w, of which the table has `length` times; after all have read what the source sends, it has w.
  template <class Team>
  TW_FN double add_returned(const Team& team, double length) const {
    const std::int64_t m = team.index();
    TwoSum sum;
    for (std::int64_t k = team.rank(); k < terms; k += team.size()) sum.add(state[2 * (m * terms + k)]);
    sum = team.sum(sum);
    S* place = waves + row[m] * wave_length + *step * times + time;
    const S wave = static_cast<S>(static_cast<double>(*place) + length * (sum.high + sum.low));
    team.sync();
    if (team.leads()) *place = wave;
    return static_cast<double>(wave) / length;
  }
};

/// A step over which v has the mean of `before` and `after` (over 2 `length` where these are integrals of steps so
/// long), the latter without the current of the port, of which a current of 1 makes `response`:
///   x_k <- decay_k x_k + gain_k (v - w).
template <class S>
struct ModalMemoryStep {
  ModalMemoryView<S> memory;
  const double* before = nullptr;      ///< per port: (high, low)
  const double* after = nullptr;       ///< per port: (high, low)
  const double* admittance = nullptr;  ///< per port: y
  const double* response = nullptr;    ///< per port; null: the current is in `after`
  const double* decay = nullptr;       ///< [memory][term] (re, im)
  const double* gain = nullptr;        ///< [memory][term] (re, im)
  double length = 1;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const double w = memory.add_returned(team, length);
    const std::int64_t p = memory.port[team.index()];
    const double without = ((before[2 * p] + before[2 * p + 1]) + (after[2 * p] + after[2 * p + 1])) / (2 * length);
    const double share = response == nullptr ? 0 : admittance[p] * response[p] / 2;
    const double leaving = (without + 2 * share * w) / (1 + share) - w;
    for (std::int64_t k = team.rank(); k < memory.terms; k += team.size()) {
      const std::int64_t at = 2 * (team.index() * memory.terms + k);
      const double re = memory.state[at];
      const double im = memory.state[at + 1];
      memory.state[at] = decay[at] * re - decay[at + 1] * im + gain[at] * leaving;
      memory.state[at + 1] = decay[at] * im + decay[at + 1] * re + gain[at + 1] * leaving;
    }
  }
};

/// A stage of a Runge-Kutta step: y_k <- a y_k + dt (p_k x_k + r_k (v - w)), x_k <- x_k + b y_k.
template <class S>
struct ModalMemoryStage {
  ModalMemoryView<S> memory;
  const double* voltage = nullptr;  ///< per port: (high, low)
  double* change = nullptr;         ///< [memory][term] (re, im): the register y
  const double* pole = nullptr;     ///< [memory][term] (re, im), times dt
  const double* residue = nullptr;  ///< [memory][term] (re, im), times dt
  double a = 0;
  double b = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const double w = memory.add_returned(team, 1);
    const std::int64_t p = memory.port[team.index()];
    const double leaving = voltage[2 * p] + voltage[2 * p + 1] - w;
    for (std::int64_t k = team.rank(); k < memory.terms; k += team.size()) {
      const std::int64_t at = 2 * (team.index() * memory.terms + k);
      const double re = memory.state[at];
      const double im = memory.state[at + 1];
      change[at] = a * change[at] + pole[at] * re - pole[at + 1] * im + residue[at] * leaving;
      change[at + 1] = a * change[at + 1] + pole[at] * im + pole[at + 1] * re + residue[at + 1] * leaving;
      memory.state[at] = re + b * change[at];
      memory.state[at + 1] = im + b * change[at + 1];
    }
  }
};

}  // namespace tetrawave::kernels
