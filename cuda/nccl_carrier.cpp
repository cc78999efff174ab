#include "cuda/nccl_carrier.hpp"

#include "base/error.hpp"
#include "cuda/cuda_backend.hpp"
#include "march/exchange/carrier.hpp"

#ifdef TETRAWAVE_HAVE_NCCL
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#endif

namespace tetrawave::cuda {

#ifdef TETRAWAVE_HAVE_NCCL

namespace {

void check_nccl(ncclResult_t code, const char* call) {
  if (code == ncclSuccess || code == ncclInProgress) return;
  throw InternalError(
      tetrawave::format("{} failed: {} ({})", call, ncclGetErrorString(code), ncclGetLastError(nullptr)));
}

/// NCCL's communicator of all ranks.
class Collectives {
 public:
  explicit Collectives(const comm::Communicator& ranks) {
    setenv("NCCL_NVLS_ENABLE", "0", 1);  // no NVLink multicast
    ncclUniqueId id{};
    ranks.agree([&] {
      if (ranks.rank() == 0) check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    });
    std::vector<char> bytes(sizeof id);
    std::memcpy(bytes.data(), &id, sizeof id);
    ranks.broadcast(bytes);
    std::memcpy(&id, bytes.data(), sizeof id);
    ranks.agree([&] { check_nccl(ncclCommInitRank(&group_, ranks.size(), id, ranks.rank()), "ncclCommInitRank"); });
  }
  ~Collectives() {
    if (group_ == nullptr) return;
    if (std::uncaught_exceptions() > 0)
      ncclCommAbort(group_);
    else
      ncclCommDestroy(group_);
  }
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  [[nodiscard]] ncclComm_t group() const { return group_; }

 private:
  ncclComm_t group_ = nullptr;
};

/// Sends and receives of an exchange are one launch, straight into the ghosts.
template <class S>
class NcclCarrier final : public march::Carrier<S> {
 public:
  NcclCarrier(CudaBackend& backend, const comm::Communicator& ranks, const std::vector<march::Route>& routes,
              std::shared_ptr<void>& shared)
      : backend_(backend), ranks_(ranks), routes_(routes), shared_(shared) {
    for (const march::Route& route : routes_) packed_.emplace_back(backend_, route.sent);
  }

  void open() override {
    if (!shared_) shared_ = std::make_shared<Collectives>(ranks_);
    group_ = static_cast<Collectives*>(shared_.get())->group();
  }
  S* room(std::size_t route) override { return packed_[route].data(); }
  void carry(march::RouteRange /*routes*/, const std::vector<S*>& /*ghosts*/) override {}

  void deliver(march::RouteRange routes, const std::vector<S*>& ghosts) override {
    const auto stream = static_cast<cudaStream_t>(backend_.stream().handle());
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t r = routes.first; r < routes.first + routes.count; ++r) {
      const march::Route& route = routes_[r];
      if (route.sent > 0)
        check_nccl(ncclSend(packed_[r].data(), route.sent * sizeof(S), ncclInt8, route.rank, group_, stream),
                   "ncclSend");
      if (route.received > 0)
        check_nccl(ncclRecv(ghosts[r - routes.first], route.received * sizeof(S), ncclInt8, route.rank, group_, stream),
                   "ncclRecv");
    }
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }

  [[nodiscard]] bool needs_host() const override { return false; }

 private:
  CudaBackend& backend_;
  comm::Communicator ranks_;
  std::vector<march::Route> routes_;
  std::shared_ptr<void>& shared_;
  ncclComm_t group_ = nullptr;
  std::vector<CudaBackend::Buffer<S>> packed_;
};

/// An exchange with the next rank and the one before.
void try_exchange(const comm::Communicator& ranks) {
  int device = 0;
  cudaGetDevice(&device);
  CudaBackend backend(device, 1, Transport::nccl);
  std::vector<march::Route> routes;
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) routes.push_back({r, 1, 1});
  const auto carrier = backend.make_collective_carrier<double>(ranks, routes);
  carrier->open();
  CudaBackend::Buffer<double> mine(backend, 1);
  CudaBackend::Buffer<double> found(backend, routes.size());
  mine.upload({ranks.rank() + 1.0});
  std::vector<double*> places;
  for (std::size_t r = 0; r < routes.size(); ++r) {
    backend.move(carrier->room(r), mine.data(), 1);
    places.push_back(found.data() + r);
  }
  carrier->deliver({0, routes.size()}, places);
  const std::vector<double> numbers = found.download();
  std::int64_t wrong = 0;
  for (std::size_t r = 0; r < routes.size(); ++r) wrong += numbers[r] == routes[r].rank + 1.0 ? 0 : 1;
  if (ranks.max(wrong) > 0) fail(ExitCode::unavailable, "its messages arrive wrong");
}

}  // namespace

template <class S>
std::unique_ptr<march::Carrier<S>> CudaBackend::make_collective_carrier(const comm::Communicator& ranks,
                                                                        const std::vector<march::Route>& routes) {
  return std::make_unique<NcclCarrier<S>>(*this, ranks, routes, collectives_);
}

std::string reason_against_nccl(const comm::Communicator& ranks) {
  try {
    try_exchange(ranks);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

#else

template <class S>
std::unique_ptr<march::Carrier<S>> CudaBackend::make_collective_carrier(const comm::Communicator& /*ranks*/,
                                                                        const std::vector<march::Route>& /*routes*/) {
  fail(ExitCode::unavailable, "transport nccl: this build has no NCCL");
}

std::string reason_against_nccl(const comm::Communicator& /*ranks*/) { return "this build has no NCCL"; }

#endif

template std::unique_ptr<march::Carrier<double>> CudaBackend::make_collective_carrier(const comm::Communicator&,
                                                                                      const std::vector<march::Route>&);
template std::unique_ptr<march::Carrier<float>> CudaBackend::make_collective_carrier(const comm::Communicator&,
                                                                                     const std::vector<march::Route>&);

}  // namespace tetrawave::cuda
