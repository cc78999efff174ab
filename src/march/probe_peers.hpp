// Whether ranks reach each other's memory: tried, not asked.
#pragma once

#include <memory>
#include <vector>

#include "march/peer_carrier.hpp"

namespace tetrawave::march {

/// Every rank stores a number into every other's memory; first the numbers are looked for there, then an exchange is
/// made with its flags. A collective. Throws, the same on all ranks, when that is not possible (UserError,
/// InternalError).
template <class Backend>
void probe_peers(Backend& backend, const comm::Communicator& ranks) {
  if (ranks.max(static_cast<double>(ranks.size() - ranks.node_size())) > 0)
    fail(ExitCode::unavailable, "it is for the ranks of one host, and these are on several");
  std::vector<Route> routes;
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) routes.push_back({r, 1, 1});
  const RouteRange all{0, routes.size()};
  std::unique_ptr<PeerCarrier<Backend, double>> carrier;
  ranks.agree([&] { carrier = std::make_unique<PeerCarrier<Backend, double>>(backend, ranks, routes); });
  carrier->open();
  typename Backend::template Buffer<double> mine(backend, 1);
  typename Backend::template Buffer<double> found(backend, routes.size());
  mine.upload({ranks.rank() + 1.0});
  const auto store = [&] {
    for (std::size_t r = 0; r < routes.size(); ++r) backend.move(carrier->room(r), mine.data(), 1);
  };
  const auto check = [&](const char* what) {
    const std::vector<double> numbers = found.download();
    std::int64_t wrong = 0;
    for (std::size_t r = 0; r < routes.size(); ++r) wrong += numbers[r] == routes[r].rank + 1.0 ? 0 : 1;
    if (ranks.max(wrong) > 0) fail(ExitCode::unavailable, "{} do not arrive in the memory of another rank", what);
  };
  std::vector<double*> places;
  for (std::size_t r = 0; r < routes.size(); ++r) places.push_back(found.data() + r);
  store();
  backend.synchronize();
  ranks.barrier();
  for (std::size_t r = 0; r < routes.size(); ++r) backend.move(places[r], carrier->waiting(r), 1);
  check("stores");
  found.upload(std::vector<double>(routes.size(), 0.0));
  carrier->prepare(all);
  store();
  carrier->dispatch(all);
  carrier->carry(all, places);
  carrier->deliver(all, places);
  check("messages");
}

}  // namespace tetrawave::march
