// The exact step of E in a medium while H does not change (theory/central, fourth order in time).
#pragma once

#include <vector>

#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::schemes {

/// With c u' = f - sigma u - sum P' over dt_m = c0 dt and f constant, and the states x of the terms (two each,
/// terms/dispersion/kernel.hpp), by the exponential of the matrix of u and x:
///   u~ = keep u + fed . x,   u+ = u~ + (dt/c) force f,   x+ = h + share u+,   h = mix x + own u,
/// so that h is known before f, and what f does to x follows from u+.
struct FlowStep {
  double keep = 1;
  double force = 1;
  std::vector<double> fed{};    ///< per state
  std::vector<double> share{};  ///< per state
  std::vector<double> own{};    ///< per state
  std::vector<double> mix{};    ///< states x states, by rows
};

FlowStep flow_step(const Law& law, double dt_m);

/// The same for what is stored: (1 + states)^2 numbers by rows that take (u, h) to (u~, h), h = x - share u.
std::vector<double> stored_flow(const FlowStep& flow);

}  // namespace tetrawave::schemes
