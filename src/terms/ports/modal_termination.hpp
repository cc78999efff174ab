// Ports that take and send one mode alone (theory/ports): on the face of such a port, a magnetic wall, runs the surface
// current of the mode, n x H = y (2 w - v) e, and nothing else. In DFDD-ELD, whose equation of H does not see that, the
// trace of H on the face is j times that of the mode. One member of a team per port or number.
#pragma once

#include <cstdint>

#include "base/target.hpp"
#include "kernels/sample.hpp"

namespace tetrawave::kernels {

/// The current of every port over a leap-frog step of E, from its voltage v~ after the update without the current:
///   q = y (2 w - (v_old + v~)/2)/(1 + y g/2),   v_new = v~ + g q:
/// the current of the mean of both voltages. w: of the half step. `of_trace`, of H in DFDD-ELD: the same law for j in
/// the place of v, of which the elements take j_new itself.
template <class S>
struct ModalCurrents {
  std::int64_t ports = 0;
  std::int64_t chunk = 0;              ///< ports of a team
  const double* before = nullptr;      ///< per port: v_old (high, low)
  const double* after = nullptr;       ///< per port: v~ (high, low)
  double* current = nullptr;           ///< per port: q, or j_new
  const double* admittance = nullptr;  ///< per port: y
  const double* response = nullptr;    ///< per port: g, the voltage of a current of 1
  const std::int32_t* wave = nullptr;  ///< per port: row of `waves`
  const S* waves = nullptr;            ///< [wave][time]
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;
  bool of_trace = false;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < ports ? begin + chunk : ports;
    for (std::int64_t p = begin + team.rank(); p < end; p += team.size()) {
      const double w = waves == nullptr ? 0 : static_cast<double>(waves[wave[p] * wave_length + *step]);
      // High and low parts depend on the order of the elements, their sums do not.
      const double mean = ((before[2 * p] + before[2 * p + 1]) + (after[2 * p] + after[2 * p + 1])) / 2;
      const double q = admittance[p] * (2 * w - mean) / (1 + admittance[p] * response[p] / 2);
      current[p] = of_trace ? (after[2 * p] + after[2 * p + 1]) + response[p] * q : q;
    }
  }
};

/// Notes the traces of H that AddModalAmplitudes takes off, over the dofs of all elements at ports.
template <class S>
struct NoteModalTraces {
  int dofs = 0;
  std::int64_t traces = 0;
  std::int64_t chunk = 0;              ///< dofs of a team
  const std::int32_t* slot = nullptr;  ///< per dof: its element
  const std::int32_t* row = nullptr;   ///< per dof
  const S* field = nullptr;
  S* noted = nullptr;  ///< per dof

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    constexpr int lanes = Team::template lanes<S>;
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < traces ? begin + chunk : traces;
    for (std::int64_t k = begin + team.rank(); k < end; k += team.size())
      noted[k] = field[(std::int64_t{slot[k] / lanes} * dofs + row[k]) * lanes + slot[k] % lanes];
  }
};

/// u += q_p times what a current of 1 makes of the element, over elements at ports; ghosts of such elements too. Of H
/// in DFDD-ELD u -= sum over the dofs of its trace of column times what has been noted, too.
template <class S>
struct AddModalAmplitudes {
  int dofs = 0;
  std::int64_t elements = 0;
  std::int64_t chunk = 0;              ///< elements of a team
  const std::int32_t* slot = nullptr;  ///< per element
  const std::int32_t* port = nullptr;  ///< per element
  const S* of_amplitude = nullptr;     ///< per element, dofs
  const double* current = nullptr;     ///< per port
  S* field = nullptr;
  S* advanced = nullptr;                   ///< the field whose rate `field` is, or null
  S advance = 0;                           ///< dt of that field
  const std::int32_t* first_of = nullptr;  ///< per element and one past the last: where its traces begin; or null
  const S* holding = nullptr;              ///< per trace: column of `dofs` numbers
  const S* noted = nullptr;                ///< per trace

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    for_listed_rows<S>(team, elements, chunk, dofs, slot, [this](std::int64_t item, std::int64_t row, std::int64_t at) {
      S change = of_amplitude[item * dofs + row] * static_cast<S>(current[port[item]]);
      for (std::int64_t k = first_of == nullptr ? 0 : first_of[item]; first_of != nullptr && k < first_of[item + 1];
           ++k)
        change -= holding[k * dofs + row] * noted[k];
      // A ghost holds the traces of two elements, which can be at two ports: each has rows of its own.
      if (change == S(0)) return;
      field[at] += change;
      if (advanced != nullptr) advanced[at] += advance * change;
    });
  }
};

/// A face with losses of an element at a port, in its list (wall_correction.hpp), whose rows stand a block's lanes
/// apart.
template <class S>
struct ModalWallFace {
  static constexpr int constants = 3;
  S* trace = nullptr;         ///< first row of what it remembers of the field
  S* memory = nullptr;        ///< DFDD-ELD: first row of what a conductor's branches remember
  const S* branch = nullptr;  ///< first row of their constants r_b, a_b, c_b
  std::int32_t branches = 0;
  std::int32_t slot = 0;  ///< the element
};

/// Such walls remember the traces that this has left, and conductors in DFDD-ELD what it adds to the mean of a step.
template <class S>
struct KeepModalTraces {
  int dofs = 0;
  int face_dofs = 0;
  std::int64_t faces = 0;
  std::int64_t chunk = 0;  ///< faces of a team
  const ModalWallFace<S>* face = nullptr;
  const std::int32_t* row = nullptr;  ///< per face, face_dofs
  const S* field = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    constexpr int lanes = Team::template lanes<S>;
    const std::int64_t begin = team.index() * chunk;
    const std::int64_t end = begin + chunk < faces ? begin + chunk : faces;
    for (std::int64_t i = begin * face_dofs + team.rank(); i < end * face_dofs; i += team.size()) {
      const ModalWallFace<S>& own = face[i / face_dofs];
      const auto k = i % face_dofs;
      const S value = field[((own.slot / lanes) * std::int64_t{dofs} + row[i]) * lanes + own.slot % lanes];
      S& last = own.trace[k * lanes];
      for (int b = 0; b < own.branches; ++b)
        own.memory[(b * face_dofs + k) * lanes] +=
            own.branch[(b * ModalWallFace<S>::constants + 2) * lanes] * (value - last) / 2;
      last = value;
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
