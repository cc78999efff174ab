// Test whether ranks can access each other's memory, by trial.
#pragma once

#include <memory>
#include <vector>

#include "march/exchange/peer_carrier.hpp"

namespace tetrawave::march {

/// Every rank stores numbers into every other's memory and checks them there; then an exchange of traces is made with
/// its flags. Collective. Throws, the same on all ranks, if that is not possible (UserError, InternalError).
template <class Backend>
void probe_peers(Backend& backend, const comm::Communicator& ranks) {
  if (ranks.max(static_cast<double>(ranks.size() - ranks.node_size())) > 0)
    fail(ExitCode::unavailable, "it is for the ranks of one host, and these are on several");
  constexpr std::size_t lanes = Backend::template lanes<double>, size = 2 * lanes;  // a block of two unknowns
  std::vector<Route> routes;
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) routes.push_back({r, size, size});
  const RouteRange all{0, routes.size()};
  std::unique_ptr<PeerCarrier<Backend, double>> carrier;
  ranks.agree([&] { carrier = std::make_unique<PeerCarrier<Backend, double>>(backend, ranks, routes); });
  carrier->open();
  typename Backend::template Buffer<double> mine(backend, size);
  typename Backend::template Buffer<double> found(backend, routes.size() * size);
  typename Backend::template Buffer<std::int32_t> zeros(backend, size);
  mine.upload(std::vector<double>(size, ranks.rank() + 1.0));
  const auto check = [&](const char* what) {
    const std::vector<double> numbers = found.download();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) wrong += numbers[i] == routes[i / size].rank + 1.0 ? 0 : 1;
    if (ranks.max(wrong) > 0) fail(ExitCode::unavailable, "{} do not arrive in the memory of another rank", what);
  };
  std::vector<double*> places;
  for (std::size_t r = 0; r < routes.size(); ++r) places.push_back(found.data() + r * size);
  for (std::size_t r = 0; r < routes.size(); ++r) backend.move(carrier->room(r), mine.data(), size);
  backend.synchronize();
  ranks.barrier();
  for (std::size_t r = 0; r < routes.size(); ++r) backend.move(places[r], carrier->waiting(r), size);
  check("stores");
  found.clear();
  const TraceList<double> list{mine.data(), zeros.data(), zeros.data(), zeros.data(), 2, 1, 1};
  MessageQueue<kernels::SendTraces<double>> queue;
  for (std::size_t r = 0; r < routes.size(); ++r) queue.add(carrier->message(r, list, 1));
  for (const auto& messages : queue.launches()) backend.for_teams(messages, messages.teams());
  carrier->carry(all, places);
  carrier->deliver(all, places);
  check("messages");
}

}  // namespace tetrawave::march
