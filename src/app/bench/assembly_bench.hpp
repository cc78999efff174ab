// `tetrawave bench --assembly`: the assembly of edge elements.
#pragma once

#include "app/backend.hpp"
#include "app/bench_options.hpp"

namespace tetrawave::app {

/// A table of the pattern and of matrices, complex and real, of the spaces asked for (default: mixed-1 to full-2) by
/// every way of assembly, on a GPU or on the threads of the host; those of the host are the expected values.
void bench_assembly(const BenchOptions& options, const ChosenBackend& backend);

}  // namespace tetrawave::app
