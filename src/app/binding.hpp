// Which rank computes on what, and how ranks talk to each other.
#pragma once

#include "app/backend.hpp"

namespace tetrawave::app {

struct BindingRequest {
  bool allow_oversubscribe = false;
  Transport transport = Transport::automatic;
};

/// Logs a table of the ranks with their hosts and devices, finds the transport between them and makes the engines of
/// `backend` use it. A collective; throws UserError (unavailable), the same on all ranks: where two ranks have the same
/// GPU and that is not allowed, and where the transport that is asked for is not there.
void bind_ranks(ChosenBackend& backend, const BindingRequest& request, const comm::Communicator& ranks);

/// A warning where a rank has more threads than the machine cores.
void warn_of_threads(int threads, const comm::Communicator& ranks);

}  // namespace tetrawave::app
