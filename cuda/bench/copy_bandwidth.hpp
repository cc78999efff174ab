// How fast the GPU copies its memory: what the benchmark's figures are shares of.
#pragma once

#include <cstdint>

namespace tetrawave::cuda {

/// Bytes read plus bytes written per second when arrays far larger than the caches are copied on the first GPU of this
/// process: the best of several copies by a kernel and by cudaMemcpy.
double measure_copy();
/// Memory free on that GPU.
std::int64_t free_bytes();

}  // namespace tetrawave::cuda
