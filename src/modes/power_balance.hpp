// Whether a case takes power: what its S-parameters and far fields are judged by.
#pragma once

#include "modes/time_domain_setup.hpp"
#include "observe/power_balance.hpp"

namespace tetrawave::modes {

/// Of the media and walls that the mesh has. Media with terms of dispersion or chi3 count as lossy.
[[nodiscard]] observe::PowerBalance find_power_balance(const TimeDomainSetup& setup);

}  // namespace tetrawave::modes
