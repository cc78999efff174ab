// Transports of field traces between ranks, with the names used in cases and logs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tetrawave {

enum class Transport {
  automatic,       ///< the fastest one available
  ipc,             ///< stores into mapped memory of the peer, within a host
  nccl,            ///< NVIDIA's collectives library
  cuda_aware_mpi,  ///< CUDA-aware MPI
  page_locked,     ///< MPI through page-locked host memory
  mpi              ///< MPI on the backend's own memory, if that is host memory
};

/// The transports that a case can request, with their names.
inline const std::vector<std::pair<std::string, Transport>>& transport_names() {
  static const std::vector<std::pair<std::string, Transport>> names{{"auto", Transport::automatic},
                                                                    {"ipc", Transport::ipc},
                                                                    {"nccl", Transport::nccl},
                                                                    {"cuda-aware-mpi", Transport::cuda_aware_mpi},
                                                                    {"page-locked", Transport::page_locked}};
  return names;
}

/// For example "page-locked"; also "mpi".
inline std::string name_of(Transport transport) {
  for (const auto& [name, value] : transport_names())
    if (value == transport) return name;
  return "mpi";
}

}  // namespace tetrawave
