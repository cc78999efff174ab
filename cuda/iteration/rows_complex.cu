// Kernels of iterations with complex numbers.
#include "cuda/iteration/rows.cuh"

namespace tetrawave::cuda {

#define TW_LAUNCH_COMPLEX(...) TW_LAUNCH_SPLIT(fem::device::ComplexNumber, __VA_ARGS__)
TW_ITERATION_KERNELS(TW_LAUNCH_ROWS, TW_LAUNCH_COMPLEX, fem::device::ComplexNumber)
TW_LAUNCH_LEVELS(fem::device::ComplexNumber, 1)
TW_LAUNCH_LEVELS(fem::device::ComplexNumber, fem::device::together)

}  // namespace tetrawave::cuda
