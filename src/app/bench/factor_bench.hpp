// `tetrawave bench --factors`: the direct solver of the finite-element modes.
#pragma once

#include "app/backend.hpp"
#include "app/bench_options.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

/// A table of analysis, factorisation and substitution of A = K - k^2 M, complex and symmetric, of mixed-1 on boxes of
/// metal with a loss tangent of .02 and 12.6 cubes a wavelength, by cuDSS on a GPU and, without one or on several
/// ranks, by MUMPS on all of them; factors in both precisions, residuals before and after refinement.
void bench_factors(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks);

}  // namespace tetrawave::app
