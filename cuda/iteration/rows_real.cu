// Kernels of iterations with real numbers.
#include "cuda/iteration/rows.cuh"

namespace tetrawave::cuda {

#define TW_LAUNCH_REAL(...) TW_LAUNCH_SPLIT(double, __VA_ARGS__)
TW_ITERATION_KERNELS(TW_LAUNCH_ROWS, TW_LAUNCH_REAL, double)
TW_STEP_KERNELS(TW_LAUNCH_ROWS)
TW_LAUNCH_LEVELS(double, 1)
TW_LAUNCH_LEVELS(double, fem::device::together)

}  // namespace tetrawave::cuda
