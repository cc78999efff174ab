// Traces by NCCL, where the build has found it: between hosts without their CPUs' part.
#pragma once

#include <string>

#include "comm/communicator.hpp"

namespace tetrawave::cuda {

/// Why NCCL cannot carry traces between these ranks, each on the GPU that is its current one; empty when it can. Tried,
/// not asked. A collective.
std::string reason_against_nccl(const comm::Communicator& ranks);

}  // namespace tetrawave::cuda
