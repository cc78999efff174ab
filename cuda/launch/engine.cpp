#include "cuda/launch/engine.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/scheme.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/nccl_carrier.hpp"
#include "engines/engine_on.hpp"
#include "march/exchange/probe_peers.hpp"

namespace tetrawave::cuda {

int device_of(const comm::Communicator& ranks) {
  const int devices = device_count();
  if (devices == 0)
    fail(ExitCode::unavailable, "no CUDA GPU is available here (driver missing or no device): use --backend cpu");
  return ranks.node_rank() % devices;
}

namespace {

/// Why a transport is not there; empty when it is. A collective.
std::string reason_against(Transport transport, bool apart, bool is_asked_for, const comm::Communicator& ranks) {
  switch (transport) {
    case Transport::ipc:
      if (!apart && !is_asked_for) return "ranks that share a GPU would wait for each other's turns on it";
      try {
        CudaBackend backend(device_of(ranks), 1);
        march::probe_peers(backend, ranks);
        return "";
      } catch (const std::exception& error) {
        return error.what();
      }
    case Transport::nccl:
      if (!apart) return "it does not let ranks share a GPU";
      {
        const CudaBackend backend(device_of(ranks), 1);  // makes the GPU the current one
        return reason_against_nccl(ranks);
      }
    case Transport::cuda_aware_mpi:
      return ranks.min(comm::takes_gpu_memory() ? 1.0 : 0.0) > 0 ? "" : "this MPI does not take pointers to GPU memory";
    default:
      return "";
  }
}

}  // namespace

Transport probe_transport(Transport asked, bool apart, const comm::Communicator& ranks) {
  // On one rank nothing travels; a library that is asked for has to be there all the same.
  if (ranks.size() == 1 && asked != Transport::nccl && asked != Transport::cuda_aware_mpi)
    return Transport::page_locked;
  for (const auto& [name, transport] : transport_names()) {
    if (transport == Transport::automatic || (asked != Transport::automatic && asked != transport)) continue;
    const std::string reason = reason_against(transport, apart, asked == transport, ranks);
    if (reason.empty()) return transport;
    if (asked == transport)
      fail(ExitCode::unavailable, "tetrawave: error: transport {} is not there: {}; use auto", name, reason);
    log::info("transport {} is not there: {}", name, reason);
  }
  throw InternalError("page-locked memory is always there");
}

std::unique_ptr<march::Engine> make_engine(const march::Problem& problem, const march::EngineOptions& options,
                                           const comm::Communicator& ranks) {
  return march::make_engine_on(CudaBackend(device_of(ranks), march::threads_of_rank(options, ranks), options.transport),
                               problem, options.precision, ranks);
}

march::BackendTraits memory_traits() { return march::traits_of<CudaBackend>(); }

}  // namespace tetrawave::cuda
