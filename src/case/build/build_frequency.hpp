// Builds the members specific to finite-element modes.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Fills in `frequency`, `solver` and `plane_waves` from a resolved tree without errors, and the band of S-parameters
/// if it is that of `frequency`.
void add_frequency(const Node& root, const Errors& errors, Case& result);

/// Fills in `solver` and `newmark` of mode fetd.
void add_newmark(const Node& root, const Errors& errors, Case& result);

/// The defaults of solver.method: direct, but bicgstab if the case sets keys of the iteration; and of solver.tolerance,
/// preconditioner and relaxation, which depend on the mode, the last also on the preconditioner.
void fill_solver(Node& resolved);
/// Removes defaults of keys that the solver does not use, of which a case that gives them is warned.
void leave_out_unused_defaults(Node& resolved);

/// Fills in `drive: each` in the frequency-domain modes if several ports are driven and the key is absent.
void fill_drive(Node& resolved);

}  // namespace tetrawave
