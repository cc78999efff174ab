// Whether a case dissipates power: the criterion for its S-parameters and far fields.
#pragma once

#include "model/model.hpp"
#include "results/ports/power_balance.hpp"

namespace tetrawave::modes {

/// Power balance that the media and walls in the mesh allow. Media with dispersive terms or chi3 count as lossy.
[[nodiscard]] results::PowerBalance find_power_balance(const Model& model);

}  // namespace tetrawave::modes
