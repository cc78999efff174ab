// Where the power of a case can go, and what is said where the waves at its ports and its far field do not add up.
#pragma once

#include <string>

namespace tetrawave::results {

struct PowerBalance {
  bool is_lossless = false;   ///< no medium and no wall takes power
  bool is_closed = false;     ///< nor does any leave but at the ports
  std::string cause;          ///< the likely one of power that is missing at the ports, and its remedy
  double second_mode_hz = 0;  ///< from where a port carries a second mode, whose power S does not have; 0: none does
};

/// Limits of the power that comes back, in parts of what goes in: of a lossless structure that does not radiate, at
/// its ports; of a lossless antenna, in its far field.
inline constexpr double least_of_ports = 0.99, most_of_ports = 1.005;
inline constexpr double least_efficiency = 0.98, most_efficiency = 1.02;

}  // namespace tetrawave::results
