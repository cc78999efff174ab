// How traces of the fields travel between ranks, by name as users write and read it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tetrawave {

enum class Transport {
  automatic,       ///< the fastest that is there
  ipc,             ///< stores into memory of the peer that this process has mapped, inside a host
  nccl,            ///< NVIDIA's library of collectives
  cuda_aware_mpi,  ///< MPI that takes pointers to a GPU's memory
  page_locked,     ///< MPI from and to page-locked host memory
  mpi              ///< MPI on the backend's own memory, where that is the host's
};

/// Those that a case can ask for, with their names.
inline const std::vector<std::pair<std::string, Transport>>& transport_names() {
  static const std::vector<std::pair<std::string, Transport>> names{{"auto", Transport::automatic},
                                                                    {"ipc", Transport::ipc},
                                                                    {"nccl", Transport::nccl},
                                                                    {"cuda-aware-mpi", Transport::cuda_aware_mpi},
                                                                    {"page-locked", Transport::page_locked}};
  return names;
}

/// "page-locked", say; "mpi" too.
inline std::string name_of(Transport transport) {
  for (const auto& [name, value] : transport_names())
    if (value == transport) return name;
  return "mpi";
}

}  // namespace tetrawave
