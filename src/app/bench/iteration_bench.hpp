// `tetrawave bench --iteration`: the iteration of the finite-element modes.
#pragma once

#include "app/backend.hpp"
#include "app/bench_options.hpp"

namespace tetrawave::app {

/// A table of products with the matrix of BenchSystem, complex and real, in both formats, beside the copy bandwidth,
/// and of iterations of BiCGStab with every preconditioner, of one and of four right-hand sides; on a GPU, or on the
/// threads of the host.
void bench_iteration(const BenchOptions& options, const ChosenBackend& backend);

}  // namespace tetrawave::app
