// The outer iteration of mode fe-iiee: boundary values at S that the solution radiates there itself (theory/fe-iiee).
#pragma once

#include <memory>
#include <vector>

#include "modes/fe_iiee/integral_boundary.hpp"
#include "modes/frequency_domain/fast_sweep.hpp"
#include "modes/frequency_domain/outer_boundary.hpp"
#include "modes/frequency_domain/record.hpp"

namespace tetrawave::modes {

/// Iterates from the solutions with the first-order absorbing condition, `fields` on entry, one per right-hand side of
/// `sides`; on return they have the boundary values of the last iteration. `solver`: of the system of `fields`.
/// `device`: null, or the device on which everything between two solutions stays.
[[nodiscard]] BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system,
                                               IntegralBoundary& boundary, const BoundarySolver& solver,
                                               const std::shared_ptr<fem::ResidentBoundary>& device,
                                               const std::vector<std::vector<Complex>>& sides,
                                               std::vector<FieldSolution>& fields, int threads);

/// The same boundary values in a fast sweep over `hz`, ascending. The arguments must outlive it.
[[nodiscard]] SweepBoundary sweep_boundary(const FrequencySystem& system, IntegralBoundary& boundary,
                                           const std::vector<double>& hz, const std::vector<DrivenSet>& sets);

}  // namespace tetrawave::modes
