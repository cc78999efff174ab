// Mode fe-iiee: mode frequency-domain with the integral equation as its outer boundary.
#pragma once

#include <memory>

#include "modes/frequency_domain/outer_boundary.hpp"

namespace tetrawave::modes {

[[nodiscard]] std::unique_ptr<OuterBoundary> make_integral_boundary(const Case& given);

}  // namespace tetrawave::modes
