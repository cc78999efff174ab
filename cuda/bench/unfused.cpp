#include "cuda/cuda_backend.hpp"
#include "cuda/launch/engine.hpp"
#include "engines/parts/unfused_march.hpp"

namespace tetrawave::cuda {

std::unique_ptr<march::Unfused> make_unfused(const march::Problem& problem, const march::EngineOptions& options) {
  return march::make_unfused_on(CudaBackend(0, march::threads_of_rank(options, comm::Communicator::self())), problem,
                                options.precision);
}

}  // namespace tetrawave::cuda
