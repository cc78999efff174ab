// A question of a space, without its terms.
#pragma once

#include "base/types.hpp"

namespace tetrawave::kernels {

/// Whether DFDD-ELD stores the inverse of the implicit part per element (kernels/curl_solution.hpp).
bool holds_inverse(Space space);

}  // namespace tetrawave::kernels
