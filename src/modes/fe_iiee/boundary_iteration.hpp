// The outer iteration of mode fe-iiee: boundary values at S that the solution radiates there itself (theory/fe-iiee).
#pragma once

#include <memory>
#include <vector>

#include "modes/fe_iiee/integral_boundary.hpp"
#include "modes/frequency_domain/fast_sweep.hpp"
#include "modes/frequency_domain/outer_boundary.hpp"
#include "modes/frequency_domain/record.hpp"

namespace tetrawave::modes {

/// Brings to the device what it needs at the frequency of `fields`: see OuterBoundary::prepare.
void prepare_device(IntegralBoundary& boundary, const fem::CsrMatrix<Complex>& matrix,
                    const std::vector<std::vector<Complex>>& sides, const std::vector<FieldSolution>& fields,
                    fem::ResidentBoundary& device);

/// See OuterBoundary::iterate. `device`: null, or the device on which everything between two solutions stays, prepared;
/// the first solutions, too, if the solver takes its columns.
[[nodiscard]] BoundaryHistory iterate_boundary(const IieeSpec& spec, const FrequencySystem& system,
                                               IntegralBoundary& boundary, const BoundarySolver& solver,
                                               const std::shared_ptr<fem::ResidentBoundary>& device,
                                               const std::vector<std::vector<Complex>>& sides,
                                               std::vector<FieldSolution>& fields, int threads);

/// The same boundary values in a fast sweep over `hz`, ascending. The arguments must outlive it.
[[nodiscard]] SweepBoundary sweep_boundary(const FrequencySystem& system, IntegralBoundary& boundary,
                                           const std::vector<double>& hz, const std::vector<DrivenSet>& sets);

}  // namespace tetrawave::modes
