// The block kernels in float.
#include "cuda/launch_blocks.cuh"

namespace tetrawave::cuda {
TW_BLOCK_KERNELS(TW_INSTANTIATE, float)
}  // namespace tetrawave::cuda
