// Devices of ranks, and the transport between ranks.
#pragma once

#include "app/backend.hpp"

namespace tetrawave::app {

struct BindingRequest {
  bool allow_oversubscribe = false;
  Transport transport = Transport::automatic;
};

/// Logs a table of the ranks with their hosts and devices, finds the transport between them and sets it for the engines
/// and iterations of `backend`. Collective. Throws UserError (unavailable), the same on all ranks, if two ranks have
/// the same GPU and that is not allowed, or if the requested transport is not available.
void bind_ranks(ChosenBackend& backend, const BindingRequest& request, const comm::Communicator& ranks);

/// Whether vectors of a finite-element mode's solver travel between ranks as `bind_ranks` finds, else by MPI.
[[nodiscard]] bool uses_transport(const ChosenBackend& backend, const Case& given);
/// Throws UserError (unavailable) if a case of such a mode names a transport, and its solver does not use it.
void refuse_idle_transport(const ChosenBackend& backend, const Case& given);

/// Warns if a rank has more threads, of the case or of the environment, than the machine has cores.
void warn_of_threads(int of_case, const comm::Communicator& ranks);

}  // namespace tetrawave::app
