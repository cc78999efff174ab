// The sources of a case in the problem: their contributions to elements (theory/sources).
#pragma once

#include <cstdint>
#include <vector>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "terms/sources/plane_wave_border.hpp"

namespace tetrawave::modes {

/// Adds them to `problem`; source s is driven by row s of Start::source_waves. Returns the longest delay of a term [m],
/// of c0 t. Throws UserError (bad_case), the same on all ranks: a region that the mesh lacks, a dipole outside it, a
/// total-field region without a border or whose border is not in one lossless medium or contains a wall, with dfdd-eld
/// a current in a lossy medium, or the stored layout. Collective. `borders`: receives plane waves that are not terms of
/// elements, in the form used by mode fetd.
double add_sources(march::Problem& problem, const Case& given, const comm::Communicator& ranks,
                   std::vector<march::PlaneWaveBorder>* borders = nullptr);

/// DGTD-Central, and DFDD-ELD in mixed-1 and full-2: they let unresolved modes ring if little energy leaves, that is
/// with no layer or port of a line, less than half of the outer faces open, and no damping medium in half of the
/// volume. Collective.
void warn_of_spurious_modes(const march::Problem& problem, const std::vector<double>& region_volume_m3,
                            const Case& given, const comm::Communicator& ranks);

}  // namespace tetrawave::modes
