// Builds what mode frequency-domain has beside the others.
#pragma once

#include "case/case.hpp"
#include "case/errors.hpp"
#include "case/node.hpp"

namespace tetrawave {

/// Fills in `frequency`, `solver` and `plane_waves` from a resolved tree without errors, and the band of S-parameters
/// where it is that of `frequency`.
void add_frequency(const Node& root, const Errors& errors, Case& result);

/// The default of solver.method: direct, but bicgstab where the case says something of the iteration.
void fill_solver(Node& resolved);

}  // namespace tetrawave
