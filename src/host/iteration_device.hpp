// Iterations by the kernels of devices on the host's cores, for tests and comparisons.
#pragma once

#include <memory>

#include "base/transport.hpp"
#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::host {

/// `least_rows_of_level`, `transport`: as for a GPU (cuda/iteration/iteration_device.hpp).
[[nodiscard]] std::shared_ptr<const fem::IterationDevice> make_iteration_device(
    int threads, std::int64_t least_rows_of_level = 0, Transport transport = Transport::automatic);

}  // namespace tetrawave::host
