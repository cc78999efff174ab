// What other rooms than its own know of a time-stepping scheme.
#pragma once

#include "base/types.hpp"

namespace tetrawave {

/// E and H are half a step apart, each advanced from the other; DGTD-Upwind advances both at once.
constexpr bool is_leap_frog(Scheme scheme) { return scheme != Scheme::dgtd_upwind; }
/// Rates of fields are advanced, implicitly in each element (DFDD-ELD).
constexpr bool has_rates(Scheme scheme) { return scheme == Scheme::dfdd_eld; }
constexpr bool has_central_fluxes(Scheme scheme) { return scheme == Scheme::dgtd_central; }
constexpr bool has_upwind_fluxes(Scheme scheme) { return scheme == Scheme::dgtd_upwind; }

}  // namespace tetrawave
