// Iterations by the kernels of devices on the host's cores, for tests and comparisons.
#pragma once

#include <memory>

#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::host {

[[nodiscard]] std::shared_ptr<const fem::IterationDevice> make_iteration_device(int threads);

}  // namespace tetrawave::host
