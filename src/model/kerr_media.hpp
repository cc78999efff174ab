// Requirements of Kerr media.
#pragma once

#include "case/spec/case.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::modes {

/// Logs the chi3 that corresponds to n2. Throws one UserError (bad_case) with a line per negative chi3.
void check_kerr(const Case& given);

/// Throws UserError (bad_case) if an element of a Kerr medium is at a wall whose law is part of its update (absorbing,
/// impedance, port), on this rank.
void check_kerr_walls(const Case& given, const march::Problem& problem);

/// Whether there is a Kerr medium.
bool has_kerr(const march::Problem& problem);

}  // namespace tetrawave::modes
