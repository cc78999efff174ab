#include "cuda/engine.hpp"

#include "base/error.hpp"
#include "cuda/cuda_backend.hpp"
#include "march/make_engine.hpp"

namespace tetrawave::cuda {

std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks) {
  const int devices = device_count();
  if (devices == 0)
    fail(ExitCode::unavailable, "no CUDA GPU is available here (driver missing or no device): use --backend cpu");
  if (ranks.node_size() > devices && !options.allow_oversubscribe)
    fail(ExitCode::unavailable,
         "{} ranks share this node, but it has {} GPUs: start one rank per GPU, or give --allow-oversubscribe",
         ranks.node_size(), devices);
  return march::make_engine_on(CudaBackend(ranks.node_rank() % devices, march::threads_of_rank(options, ranks)),
                               problem, options.precision, ranks);
}

march::BackendTraits memory_traits() { return march::traits_of<CudaBackend>(); }

}  // namespace tetrawave::cuda
