// The way this process was started.
#pragma once

namespace tetrawave::comm {

/// Whether an MPI launcher (mpirun, srun) started this process as one of its ranks. Does not use MPI.
[[nodiscard]] bool is_launched();

}  // namespace tetrawave::comm
