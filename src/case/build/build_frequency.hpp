// Builds what modes of finite elements have beside the others.
#pragma once

#include "case/spec/case.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Fills in `frequency`, `solver` and `plane_waves` from a resolved tree without errors, and the band of S-parameters
/// where it is that of `frequency`.
void add_frequency(const Node& root, const Errors& errors, Case& result);

/// Fills in `solver` and `newmark` of mode fetd.
void add_newmark(const Node& root, const Errors& errors, Case& result);

/// The defaults of solver.method: direct, but bicgstab where the case says something of the iteration; and of
/// solver.tolerance, preconditioner and relaxation, which depend on the mode, the last on the preconditioner, too.
void fill_solver(Node& resolved);

/// Fills in `drive: each` in the frequency-domain modes when several ports are driven and the key is absent.
void fill_drive(Node& resolved);

}  // namespace tetrawave
