// The block kernels in double.
#include "cuda/launch_blocks.cuh"

namespace tetrawave::cuda {
TW_BLOCK_KERNELS(TW_INSTANTIATE, double)
}  // namespace tetrawave::cuda
