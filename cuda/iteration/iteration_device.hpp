// Iterations of sparse symmetric systems on a GPU (theory/preconditioners). Free of CUDA's own headers.
#pragma once

#include <memory>

#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::cuda {

/// GPU number `device` of this process; `threads` of the host make preconditioners.
[[nodiscard]] std::shared_ptr<const fem::IterationDevice> make_iteration_device(int device, int threads);

}  // namespace tetrawave::cuda
