// Launches of the dissertation's kernels.
#pragma once

#include "cuda/bench/dissertation.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

/// `Arguments`: DissertationUpdate or DissertationConvolution; `block`: 480 or 512 threads.
template <class Arguments>
void launch_dissertation(Stream& stream, Space space, int block, const Arguments& arguments,
                         std::int64_t thread_blocks);

}  // namespace tetrawave::cuda
