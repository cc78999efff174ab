// The law of a wall on a face of a problem's elements (theory/walls).
#pragma once

#include <optional>
#include <vector>

#include "march/interface/problem.hpp"
#include "terms/walls/conductors.hpp"
#include "terms/walls/walls.hpp"

namespace tetrawave::march {

/// The wall on a face; none for a plain face between two elements (the wall of a port or an absorbing one has the
/// admittance of the element's own medium, or that of Problem::open_admittance). dt_m matters for lumped ports with a
/// reactance, and for conductors in DFDD-ELD, whose admittance is that of the unknown's part in a step; with dt_m = 0
/// that is left out.
std::optional<schemes::WallSpec> wall_at(const Problem& problem, LocalIndex element, std::size_t face, double dt_m = 0);

/// Resistances over that of free space, rates over c0.
schemes::ConductorBranches branches_of(const std::vector<WallBranch>& list);

}  // namespace tetrawave::march
