// Ports that take and send one mode alone (theory/ports): on the face of such a port, a magnetic wall, runs the surface
// current of the mode, n x H = y (2 w - v) e, and nothing else. One member of a team per port or number.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// The current of every port over a leap-frog step of E, from its voltage v~ after the update without the current:
///   q = y (2 w - (v_old + v~)/2)/(1 + y g/2),   v_new = v~ + g q:
/// the current of the mean of both voltages. w: of the half step.
template <class S>
struct ModalCurrents {
  std::int64_t ports = 0;
  std::int64_t chunk = 0;              ///< ports of a team
  const double* before = nullptr;      ///< per port: v_old (high, low)
  const double* after = nullptr;       ///< per port: v~ (high, low)
  double* current = nullptr;           ///< per port: q
  const double* admittance = nullptr;  ///< per port: y
  const double* response = nullptr;    ///< per port: g, the voltage of a current of 1
  const std::int32_t* wave = nullptr;  ///< per port: row of `waves`
  const S* waves = nullptr;            ///< [wave][time]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < ports ? begin + chunk : ports;
    for (std::int64_t p = begin + team.rank(); p < end; p += team.size()) {
      const double w = static_cast<double>(waves[wave[p] * wave_length + *step]);
      // High and low parts depend on the order of the elements, their sums do not.
      const double mean = ((before[2 * p] + before[2 * p + 1]) + (after[2 * p] + after[2 * p + 1])) / 2;
      current[p] = admittance[p] * (2 * w - mean) / (1 + admittance[p] * response[p] / 2);
    }
  }
};

/// u += q_p times what a current of 1 makes of the element, over elements at ports; ghosts of such elements too.
template <class S>
struct AddModalCurrents {
  int dofs = 0;
  std::int64_t elements = 0;
  std::int64_t chunk = 0;              ///< elements of a team
  const std::int32_t* slot = nullptr;  ///< per element
  const std::int32_t* port = nullptr;  ///< per element
  const S* of_current = nullptr;       ///< per element, dofs
  const double* current = nullptr;     ///< per port
  S* field = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    constexpr int lanes = Team::template lanes<S>;
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < elements ? begin + chunk : elements;
    for (std::int64_t i = begin * dofs + team.rank(); i < end * dofs; i += team.size()) {
      const std::int64_t item = i / dofs;
      const std::int64_t row = i % dofs;
      const std::int64_t own = slot[item];
      const std::int64_t at = ((own / lanes) * dofs + row) * lanes + own % lanes;
      // A ghost holds the traces of two elements, which can be at two ports: each has rows of its own.
      if (of_current[i] != S(0)) field[at] += of_current[i] * static_cast<S>(current[port[item]]);
    }
  }
};

/// The same for the traces of u that walls with losses remember (wall_correction.hpp), over wall faces of such
/// elements.
template <class S>
struct AddModalTraces {
  int face_dofs = 0;
  std::int64_t faces = 0;
  std::int64_t chunk = 0;              ///< faces of a team
  S* const* trace = nullptr;           ///< per face: its first row, of rows that stand a block's lanes apart
  const std::int32_t* port = nullptr;  ///< per face
  const S* of_current = nullptr;       ///< per face, face_dofs
  const double* current = nullptr;     ///< per port

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    constexpr int lanes = Team::template lanes<S>;
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < faces ? begin + chunk : faces;
    for (std::int64_t i = begin * face_dofs + team.rank(); i < end * face_dofs; i += team.size()) {
      const std::int64_t face = i / face_dofs;
      trace[face][(i % face_dofs) * lanes] += of_current[i] * static_cast<S>(current[port[face]]);
    }
  }
};

/// The current of every port in a Runge-Kutta stage, or over a step by its integrals: 2 w - v takes the place of w in
/// the table of waves.
template <class S>
struct ModalWaves {
  std::int64_t ports = 0;
  std::int64_t chunk = 0;              ///< ports of a team
  const double* signal = nullptr;      ///< per port: v (high, low)
  const std::int32_t* wave = nullptr;  ///< per port: row of `waves`
  S* waves = nullptr;                  ///< [wave][time]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;
  std::int64_t times = 1;  ///< entries of a step, and which of them it is
  std::int64_t time = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < ports ? begin + chunk : ports;
    for (std::int64_t p = begin + team.rank(); p < end; p += team.size()) {
      S* w = waves + wave[p] * wave_length + *step * times + time;
      *w = static_cast<S>(2 * static_cast<double>(*w) - (signal[2 * p] + signal[2 * p + 1]));
    }
  }
};

}  // namespace tetrawave::kernels
