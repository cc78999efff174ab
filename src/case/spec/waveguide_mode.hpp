// Names of waveguide modes.
#pragma once

#include <optional>
#include <string>

#include "case/spec/case.hpp"

namespace tetrawave {

/// "TE10", "TM21", "TE12,0"; none for names that are not modes: TE00, and TMmn with m or n = 0.
std::optional<WaveguideMode> read_waveguide_mode(const std::string& name);

/// "TE10" or, with a number above 9, "TE12,0".
std::string name_of(const WaveguideMode& mode);

}  // namespace tetrawave
