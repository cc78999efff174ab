// Traces by non-blocking MPI messages: the transport that is always available.
#pragma once

#include <map>
#include <vector>

#include "march/exchange/carrier.hpp"

namespace tetrawave::march {

/// `staged`: messages are sent from and received in host memory (page-locked with a GPU). Otherwise MPI sends the
/// packed traces from the backend's memory, and receives directly into the ghosts.
template <class Backend, class S>
class MpiCarrier final : public Carrier<S> {
 public:
  MpiCarrier(Backend& backend, const comm::Communicator& ranks, const std::vector<Route>& routes, bool staged)
      : backend_(backend), ranks_(ranks), routes_(routes), staged_(staged) {
    std::map<int, int> so_far;
    for (const Route& route : routes_) {
      tags_.push_back(so_far[route.rank]++);
      packed_.emplace_back(backend_, route.sent);
      if (!staged_) continue;
      outgoing_.emplace_back(backend_, route.sent);
      incoming_.emplace_back(backend_, route.received);
    }
  }

  S* room(std::size_t route) override { return packed_[route].data(); }

  void dispatch(RouteRange routes) override {
    if (staged_)
      for_each(routes, [&](std::size_t r) { backend_.move(outgoing_[r].data(), packed_[r].data(), routes_[r].sent); });
    backend_.mark();
  }

  /// The mark is after the last readers of the ghosts, and after the copy out of `incoming`: both may be written now.
  void carry(RouteRange routes, const std::vector<S*>& ghosts) override {
    backend_.wait_for_mark();
    for_each(routes, [&](std::size_t r) {
      if (routes_[r].received > 0)
        ranks_.start_receive(requests_, staged_ ? incoming_[r].data() : ghosts[r - routes.first],
                             routes_[r].received * sizeof(S), routes_[r].rank, tags_[r]);
    });
    for_each(routes, [&](std::size_t r) {
      if (routes_[r].sent > 0)
        ranks_.start_send(requests_, staged_ ? outgoing_[r].data() : packed_[r].data(), routes_[r].sent * sizeof(S),
                          routes_[r].rank, tags_[r]);
    });
  }

  void deliver(RouteRange routes, const std::vector<S*>& ghosts) override {
    requests_.wait_all();
    if (!staged_) return;
    for_each(routes,
             [&](std::size_t r) { backend_.move(ghosts[r - routes.first], incoming_[r].data(), routes_[r].received); });
  }

  [[nodiscard]] bool needs_host() const override { return true; }

 private:
  template <class Work>
  static void for_each(RouteRange routes, const Work& work) {
    for (std::size_t r = routes.first; r < routes.first + routes.count; ++r) work(r);
  }

  Backend& backend_;
  comm::Communicator ranks_;
  std::vector<Route> routes_;
  bool staged_;
  std::vector<int> tags_;
  std::vector<typename Backend::template Buffer<S>> packed_;
  std::vector<typename Backend::template Staging<S>> outgoing_;
  std::vector<typename Backend::template Staging<S>> incoming_;
  comm::Requests requests_;
};

}  // namespace tetrawave::march
