// A rational model of S as a SPICE subcircuit.
#pragma once

#include <string>
#include <vector>

#include "results/rational/rational_model.hpp"

namespace tetrawave::results {

/// `.subckt NAME p1 .. pN ref` of resistors, capacitors and controlled sources E and G, which every SPICE has. A port
/// is its reference impedance [ohm] in series with the source 2 sqrt(Z) b; nodes inside carry the waves a and b and the
/// states of the poles, a capacitor each. `ports`: names, in comments.
[[nodiscard]] std::string spice_text(const RationalModel& model, const std::string& name,
                                     const std::vector<std::string>& ports, const std::vector<double>& impedances_ohm);

}  // namespace tetrawave::results
