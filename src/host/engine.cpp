#include "host/engine.hpp"

#include "host/host_backend.hpp"
#include "march/make_engine.hpp"

namespace tetrawave::host {

std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks) {
  return march::make_engine_on(HostBackend(march::threads_of_rank(options, ranks)), problem, options.precision, ranks);
}

march::BackendTraits memory_traits() { return march::traits_of<HostBackend>(); }

}  // namespace tetrawave::host
