// Choice of the transport of traces, once for every backend.
#pragma once

#include <memory>

#include "base/transport.hpp"
#include "march/exchange/mpi_carrier.hpp"
#include "march/exchange/peer_carrier.hpp"

namespace tetrawave::march {

/// As given by backend.transport(); automatic is MPI, from the backend's memory if that is host memory.
template <class Backend, class S>
std::unique_ptr<Carrier<S>> make_carrier(Backend& backend, const comm::Communicator& ranks,
                                         const std::vector<Route>& routes) {
  switch (backend.transport()) {
    case Transport::ipc:
      return std::make_unique<PeerCarrier<Backend, S>>(backend, ranks, routes);
    case Transport::nccl:
      if constexpr (Backend::has_collectives)
        return backend.template make_collective_carrier<S>(ranks, routes);
      else
        throw InternalError("this backend has no library of collectives");
    case Transport::page_locked:
      return std::make_unique<MpiCarrier<Backend, S>>(backend, ranks, routes, true);
    case Transport::automatic:
      return std::make_unique<MpiCarrier<Backend, S>>(backend, ranks, routes, !Backend::is_host);
    case Transport::mpi:
    case Transport::cuda_aware_mpi:
      return std::make_unique<MpiCarrier<Backend, S>>(backend, ranks, routes, false);
  }
  throw InternalError("this transport has no carrier");
}

}  // namespace tetrawave::march
