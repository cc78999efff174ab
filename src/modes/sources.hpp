// The sources of a case in the problem of a march: what each adds to which elements (THEORY.md 20).
#pragma once

#include "case/case.hpp"
#include "comm/communicator.hpp"
#include "march/problem.hpp"

namespace tetrawave::modes {

/// Adds them to `problem`; source s is driven by row s of Start::source_waves. Returns the longest delay of a term [m],
/// of c0 t. Throws UserError (bad_case), the same on all ranks: a region that the mesh lacks, a dipole outside it, a
/// total-field region without a border or whose border is not in one lossless medium or holds a wall, with dfdd-eld a
/// current in a medium with losses, or the stored layout. A collective.
double add_sources(march::Problem& problem, const Case& given, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
