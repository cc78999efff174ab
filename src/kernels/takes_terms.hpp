// A question of a space, without its terms.
#pragma once

#include "base/types.hpp"

namespace tetrawave::kernels {

/// Whether the update of DFDD-ELD includes the terms of media (kernels/curl_solution.hpp).
bool takes_terms(Space space);

}  // namespace tetrawave::kernels
