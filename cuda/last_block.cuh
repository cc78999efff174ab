// The block of a launch that ends last.
#pragma once

namespace tetrawave::cuda {

/// True for the threads of the block that is the last to come here; sets the counter back.
__device__ __forceinline__ bool is_last_block(unsigned* counter) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  return last;
}

}  // namespace tetrawave::cuda
