// Possible power losses of a case, and warnings if the waves at its ports and its far field are not balanced.
#pragma once

#include <string>

namespace tetrawave::results {

struct PowerBalance {
  bool is_lossless = false;   ///< no medium and no wall dissipates power
  bool is_closed = false;     ///< and none leaves except at the ports
  std::string cause;          ///< the likely cause of missing power at the ports, and its remedy
  double second_mode_hz = 0;  ///< from here on a port carries a second mode, whose power is not in S; 0: none does
};

/// Limits of the returned power relative to the incident one: for a lossless structure that does not radiate, at its
/// ports; for a lossless antenna, in its far field.
inline constexpr double least_of_ports = 0.99, most_of_ports = 1.005;
inline constexpr double least_efficiency = 0.98, most_efficiency = 1.02;
/// Of what ports accept, where the losses are known: what may be missing or too much.
inline constexpr double most_imbalance = 0.01;

}  // namespace tetrawave::results
