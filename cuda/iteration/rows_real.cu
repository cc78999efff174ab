// Kernels of iterations with real numbers.
#include "cuda/iteration/rows.cuh"

namespace tetrawave::cuda {

TW_ITERATION_KERNELS(TW_LAUNCH_ROWS, double)
TW_STEP_KERNELS(TW_LAUNCH_ROWS)
TW_LAUNCH_LEVELS(double, 1)
TW_LAUNCH_LEVELS(double, fem::device::together)

}  // namespace tetrawave::cuda
