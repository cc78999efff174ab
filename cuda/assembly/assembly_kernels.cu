// Kernels of the assembly of edge elements.
#include "cuda/iteration/rows.cuh"
#include "fem/assembly/kernels.hpp"

namespace tetrawave::cuda {

TW_PATTERN_KERNELS(TW_LAUNCH_ROWS)
TW_ASSEMBLY_KERNELS(TW_LAUNCH_ROWS, double)
TW_ASSEMBLY_KERNELS(TW_LAUNCH_ROWS, fem::device::ComplexNumber)

}  // namespace tetrawave::cuda
