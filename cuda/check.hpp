// CUDA return codes become errors with the call named.
#pragma once

#include <cuda_runtime_api.h>

namespace tetrawave::cuda {

/// Throws UserError (out_of_memory) or InternalError when `code` is not success.
void check(cudaError_t code, const char* call);

}  // namespace tetrawave::cuda
