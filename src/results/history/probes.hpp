// Probes: field values at points, as functionals of the dofs of one element.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "results/request/request.hpp"

namespace tetrawave::results {

/// Adds three functionals (x, y, z) of E [V/m] and three of H [A/m] per probe to the problem, in their order. A point
/// on a face or vertex uses the element with the lowest global id among those that contain it (tolerance 1e-9 of the
/// element's size). Throws one UserError (bad_case) for all probes outside the mesh. Collective.
void add_probes(march::Problem& problem, const std::vector<ProbePoint>& probes, const comm::Communicator& ranks);

}  // namespace tetrawave::results
