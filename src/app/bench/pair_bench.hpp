// `tetrawave bench --pairs`: the sums over pairs of points of mode fe-iiee.
#pragma once

#include "app/backend.hpp"
#include "app/bench_options.hpp"

namespace tetrawave::app {

/// A table of pairs a second with 1 and 10 right-hand sides, in double and single precision, with the largest error
/// against sums in double precision on the CPU. On GPUs, of one or several ranks, also "resident": sources and sums are
/// on the first one, as with boundary values there. On one GPU also by the mapping of the paper, for blocks of 4 to 128
/// threads with currents in shared and in global memory.
void bench_pairs(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks);

}  // namespace tetrawave::app
