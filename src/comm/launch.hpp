// How this process was started.
#pragma once

namespace tetrawave::comm {

/// Whether an MPI launcher (mpirun, srun) has started this process as one of its ranks. Without MPI.
[[nodiscard]] bool is_launched();

}  // namespace tetrawave::comm
