#include "engines/host/engine.hpp"

#include "base/error.hpp"
#include "engines/engine_on.hpp"
#include "host/host_backend.hpp"
#include "march/exchange/probe_peers.hpp"

namespace tetrawave::host {

std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks) {
  return march::make_engine_on(HostBackend(march::threads_of_rank(options, ranks), options.transport), problem,
                               options.precision, ranks);
}

Transport probe_transport(Transport asked, bool /*apart*/, const comm::Communicator& ranks) {
  if (asked == Transport::automatic) return Transport::mpi;
  if (asked == Transport::page_locked) return asked;
  if (asked == Transport::ipc) {
    if (ranks.size() == 1) return asked;
    HostBackend backend(1);
    try {
      march::probe_peers(backend, ranks);
    } catch (const UserError& error) {
      fail(error.code(), "tetrawave: error: transport ipc: {}", error.what());
    }
    return asked;
  }
  fail(ExitCode::unavailable,
       "tetrawave: error: transport {}: ranks on CPUs do not have it: use auto, ipc or page-locked", name_of(asked));
}

march::BackendTraits memory_traits() { return march::traits_of<HostBackend>(); }

}  // namespace tetrawave::host
