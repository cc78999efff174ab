// Media at walls whose law is part of their update.
#pragma once

#include <string>

#include "case/spec/case.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::modes {

/// Line of a region in the case; empty if it has none.
[[nodiscard]] std::string place_of_region(const Case& given, const std::string& name);

/// Whether a face of an element is absorbing, of impedance or of a port.
[[nodiscard]] bool touches_open_wall(const march::Problem& problem, LocalIndex element);

/// Steps of fourth order: throws UserError (bad_case) if a dispersive medium is at such a face, on this rank.
void check_dispersive_walls(const Case& given, const march::Problem& problem);

}  // namespace tetrawave::modes
