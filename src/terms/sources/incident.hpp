// A wave that exists on only one side of a face: its contribution to the equations of the two elements
// (theory/sources).
#pragma once

#include <array>

#include "base/scheme.hpp"

namespace tetrawave::schemes {

/// With u+ replaced by u+ + u_inc:  E: [0] oint N . (n x h_inc) + [1] oint N_t . e_inc,
///                                  H: [2] oint N . (n x e_inc) + [3] oint N_t . h_inc.
/// Both elements have the impedance Z (relative).
inline std::array<double, 4> incident_factors(Scheme scheme, double impedance) {
  if (has_rates(scheme)) return {1, 0, -1, 0};
  if (has_central_fluxes(scheme)) return {0.5, 0, -0.5, 0};
  return {0.5, 0.5 / impedance, -0.5, 0.5 * impedance};
}

}  // namespace tetrawave::schemes
