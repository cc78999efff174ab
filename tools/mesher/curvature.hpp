// Second-order elements that are bent too far.
#pragma once

#include "options.hpp"

namespace tetrawave::mesher {

/// Checks that the Jacobian keeps its sign inside every second-order element of the current model; moves nodes (Gmsh's
/// high-order optimisation) where it does not. Throws UserError (bad_case) with a place when that is not enough.
void untangle_curved_elements(const Options& options);

}  // namespace tetrawave::mesher
