// The MPI requests behind Requests. Included by this folder's sources only.
#pragma once

#include <mpi.h>

#include <vector>

#include "comm/communicator.hpp"

namespace tetrawave::comm {

struct Requests::Impl {
  std::vector<MPI_Request> pending;
};

}  // namespace tetrawave::comm
