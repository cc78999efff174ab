#include "engines/host/engine.hpp"
#include "engines/parts/unfused_march.hpp"
#include "host/host_backend.hpp"

namespace tetrawave::host {

std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options) {
  return march::make_unfused_on(HostBackend(march::threads_of_rank(options, comm::Communicator::self())), problem,
                                options.precision);
}

}  // namespace tetrawave::host
