// Iterations of sparse symmetric systems on a GPU (theory/preconditioners). Free of CUDA's own headers.
#pragma once

#include <memory>

#include "base/transport.hpp"
#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::cuda {

/// GPU number `device` of this process; `threads` of the host make preconditioners. ssor and ilu iterate on the host
/// where levels have fewer rows than this on the mean. `transport`: between ranks that share out a system; it is there.
[[nodiscard]] std::shared_ptr<const fem::IterationDevice> make_iteration_device(
    int device, int threads, std::int64_t least_rows_of_level = 128, Transport transport = Transport::page_locked);

}  // namespace tetrawave::cuda
