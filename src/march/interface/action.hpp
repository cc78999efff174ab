// A step of the time loop as data: named actions in their order. A scheme builds the list once, without a device;
// march.hpp executes it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// The uses of the time of a step that /performance tells apart. Communication has a clock of its own
/// (march/exchange/exchange_clock.hpp).
enum class Share { update, dispersion, nonlinear, layers, walls, ports, sources, rest };
inline constexpr std::size_t share_count = static_cast<std::size_t>(Share::rest) + 1;
/// Seconds of each.
using ShareSeconds = std::array<double, share_count>;

enum class Act {
  sum_jumps,         ///< DGTD-Upwind: the energy of jumps, in steps that sample it
  fork,              ///< the queue of actions that go first on a full device may start
  send,              ///< packs traces of border elements, and sends them
  carry,             ///< the host's part of the messages
  receive,           ///< traces become ghosts
  join,              ///< later actions wait for both queues
  update,            ///< volume and surface terms
  predict,           ///< DGTD-Upwind with LTS: integrals of the predicted fields
  dispersion,        ///< states of media
  dispersion_after,  ///< DFDD-ELD: what follows from the updated rate
  layers,            ///< states of absorbing layers
  layer_jumps,       ///< jumps that damp flat elements of absorbing layers
  nonlinear,         ///< Kerr media
  walls,             ///< walls and incident waves of leap-frog schemes
  waves,             ///< incident waves of DGTD-Upwind, of stored matrices
  conductors,        ///< DGTD-Upwind: surface impedances
  metal,             ///< tangential E on metal, held at zero
  keep_old,          ///< DGTD-Central with a penalty: E before its update, for neighbours
  keep,              ///< stored matrices: the field at walls, before and after its dispersion
  sources,           ///< inside the mesh
  dispersive_ports,  ///< waves that depend on outgoing ones
  one_mode_before,   ///< ports of one mode: voltages before a field is advanced
  one_mode_after,    ///< their currents, and in DFDD-ELD the traces of H
  solve,             ///< mode fetd: the linear system
  right_side,        ///< mode fetd: before it
  fields,            ///< mode fetd: what follows from the solution
  turn,              ///< new values become the present ones
  count,             ///< the step number
};

/// Name for users.
const char* name_of(Act act);
Share share_of(Act act);

/// One entry. Fields that an act does not use are at their defaults.
struct Action {
  Act act = Act::count;
  Field field = Field::electric;  ///< that is advanced
  Part part{};
  std::int64_t substep = 0;  ///< of the part's level within the step, or the Runge-Kutta stage
  int levels = 1;            ///< LTS levels that take part in the event: those below
  int first_level = 0;       ///< and from here on
  bool front = false;        ///< before others where the device is full
  bool second = false;       ///< the second of two actions of the same kind
  friend bool operator==(const Action&, const Action&) = default;
};

/// A step: up to the row that is recorded of it, and on to the next step. A run ends with a row, in a step that has no
/// `begin`.
struct StepPlan {
  std::vector<Action> begin;
  std::vector<Action> before_row;
  std::vector<Action> after_row;
  [[nodiscard]] std::size_t size() const { return begin.size() + before_row.size() + after_row.size(); }
};

/// A line of a table for every action; `levels` of LTS.
std::vector<std::vector<std::string>> table_of(const StepPlan& plan, int levels);

}  // namespace tetrawave::march
