// Assembly of edge elements on a GPU (theory/frequency-domain). Free of CUDA's own headers.
#pragma once

#include <memory>

#include "fem/assembly/assembly_device.hpp"

namespace tetrawave::cuda {

/// GPU number `device` of this process; `threads` of the host make lists of walls.
[[nodiscard]] std::shared_ptr<const fem::AssemblyDevice> make_assembly_device(int device, int threads);

}  // namespace tetrawave::cuda
