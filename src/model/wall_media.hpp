// Media at walls whose law is part of their update.
#pragma once

#include <string>

#include "case/spec/case.hpp"
#include "march/interface/problem.hpp"
#include "model/model.hpp"

namespace tetrawave::modes {

/// Line of a region in the case; empty if it has none.
[[nodiscard]] std::string place_of_region(const Case& given, const std::string& name);

/// Whether a face of an element is absorbing, of impedance or of a port.
[[nodiscard]] bool touches_open_wall(const march::Problem& problem, LocalIndex element);

/// Steps of fourth order: throws UserError (bad_case) if a dispersive medium is at such a face, on this rank.
void check_dispersive_walls(const Case& given, const march::Problem& problem);

/// The part of a plane wave at normal incidence, of the worse polarisation along the axes, that an absorbing wall
/// normal to the axis `normal` reflects. It has the admittance of the medium's mean over its axes: `is_exact`, at the
/// frequency (finite elements), else the real one at infinite frequency without losses.
[[nodiscard]] double reflection_of_open_wall(const Medium& medium, std::size_t normal, double hz, bool is_exact);

/// A warning for each region with more than 2 % of it at an end of the band of the results. Collective.
void warn_of_absorbing_walls(const Model& model, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
