// The transports between the GPUs of ranks.
#pragma once

#include <cstdio>
#include <vector>

#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/launch/engine.hpp"

namespace tetrawave_tests {

/// Those that are there, of all that can be asked for where ranks may share GPUs: without NCCL. A collective.
inline std::vector<tetrawave::Transport> find_transports(const tetrawave::comm::Communicator& world) {
  std::vector<tetrawave::Transport> found;
  for (const auto& [name, transport] : tetrawave::transport_names()) {
    if (transport == tetrawave::Transport::automatic) continue;
    try {
      found.push_back(tetrawave::cuda::probe_transport(transport, false, world));
    } catch (const tetrawave::UserError& error) {
      if (world.rank() == 0) std::printf("%s\n", error.what());
    }
  }
  return found;
}

/// Without the memory of a GPU that ranks share: each of their waits would be a slice of its time.
inline std::vector<tetrawave::Transport> find_quick_transports(const tetrawave::comm::Communicator& world) {
  std::vector<tetrawave::Transport> found = find_transports(world);
  if (tetrawave::cuda::device_count() < world.size()) std::erase(found, tetrawave::Transport::ipc);
  return found;
}

/// Of ranks with a GPU each. A collective.
inline bool has_nccl(const tetrawave::comm::Communicator& world) {
  if (tetrawave::cuda::device_count() < world.size()) return false;
  try {
    return tetrawave::cuda::probe_transport(tetrawave::Transport::nccl, true, world) == tetrawave::Transport::nccl;
  } catch (const tetrawave::UserError&) {
    return false;
  }
}

}  // namespace tetrawave_tests
