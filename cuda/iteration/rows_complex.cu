// Kernels of iterations with complex numbers.
#include "cuda/iteration/rows.cuh"

namespace tetrawave::cuda {

TW_ITERATION_KERNELS(TW_LAUNCH_ROWS, fem::device::ComplexNumber)
TW_LAUNCH_LEVELS(fem::device::ComplexNumber, 1)
TW_LAUNCH_LEVELS(fem::device::ComplexNumber, fem::device::together)

}  // namespace tetrawave::cuda
