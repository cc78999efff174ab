// Kernels of boundary values in mode fe-iiee.
#include "cuda/iteration/rows.cuh"
#include "fem/device/boundary_kernels.hpp"

namespace tetrawave::cuda {

TW_BOUNDARY_KERNELS(TW_LAUNCH_ROWS)
TW_BOUNDARY_TILES(TW_LAUNCH_TILES)

}  // namespace tetrawave::cuda
