// Prefix sums on a GPU.
#pragma once

#include <cstdint>

#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

/// starts[0] = 0, starts[i + 1] = starts[i] + counts[i]; Start: std::int32_t or std::int64_t.
template <class Start>
void scan(CudaBackend& backend, const std::int32_t* counts, Start* starts, std::int32_t count);

}  // namespace tetrawave::cuda
