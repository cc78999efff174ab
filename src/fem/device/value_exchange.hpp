// Numbers on a device that go to other ranks, and theirs, over a transport that carries them
// (march/exchange/carrier.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fem/solvers/iterative_solver.hpp"
#include "march/exchange/carrier.hpp"
#include "march/exchange/exchange_clock.hpp"

namespace tetrawave::fem::device {

/// Through page-locked memory of the host, by RankLink::exchange: a route that ends on this rank.
template <class Backend, class T>
class LinkCarrier final : public march::Carrier<double> {
 public:
  LinkCarrier(Backend& backend, const march::Route& route, RankLink<T>& link)
      : backend_(backend), link_(link), out_(backend, route.sent), in_(backend, route.received) {}

  double* room(std::size_t /*route*/) override { return out_.data(); }
  void dispatch(march::RouteRange /*routes*/) override { backend_.mark(); }
  void carry(march::RouteRange /*routes*/, const std::vector<double*>& /*ghosts*/) override {
    backend_.wait_for_mark();
    link_.exchange(reinterpret_cast<const T*>(out_.data()), reinterpret_cast<T*>(in_.data()));
  }
  void deliver(march::RouteRange /*routes*/, const std::vector<double*>& ghosts) override {
    backend_.move(ghosts.front(), in_.data(), in_.size());
  }
  [[nodiscard]] bool needs_host() const override { return true; }

 private:
  Backend& backend_;
  RankLink<T>& link_;
  typename Backend::template Staging<double> out_, in_;
};

/// Exchanges of numbers N that kernels have put into the rooms of their routes.
template <class Backend, class N>
class ValueExchange {
 public:
  /// `routes` in doubles. `arrivals`: per route, how many numbers behind the place given to `deliver` its values begin.
  ValueExchange(Backend& backend, std::unique_ptr<march::Carrier<double>> carrier, std::vector<march::Route> routes,
                std::vector<std::size_t> arrivals)
      : carrier_(std::move(carrier)),
        routes_(std::move(routes)),
        arrivals_(std::move(arrivals)),
        rooms_(backend, routes_.size()),
        clock_(backend, !routes_.empty()) {
    std::vector<N*> rooms;
    for (std::size_t r = 0; r < routes_.size(); ++r) rooms.push_back(room(r));
    rooms_.upload(rooms);
  }

  /// Collective, before the first exchange.
  void open() { carrier_->open(); }
  [[nodiscard]] bool needs_host() const { return carrier_->needs_host(); }
  [[nodiscard]] N* room(std::size_t route) { return reinterpret_cast<N*>(carrier_->room(route)); }
  /// Per route, on the device; the same at every exchange.
  [[nodiscard]] N* const* rooms() const { return rooms_.data(); }
  [[nodiscard]] std::size_t routes() const { return routes_.size(); }
  /// Of exchanges in iterations.
  [[nodiscard]] march::ExchangeClock<Backend>& clock() { return clock_; }

  // The parts of an exchange. All are queued, but for `carry`, which may wait.
  void dispatch() {
    carrier_->dispatch(all());
    clock_.note(kernels::traces_sent);
  }
  void note_other_work() { clock_.note(kernels::inner_done); }
  void carry(N* to) { carrier_->carry(all(), places(to)); }
  void deliver(N* to) {
    carrier_->deliver(all(), places(to));
    clock_.note(kernels::ghosts_there);
  }
  void end() { clock_.add(); }

 private:
  [[nodiscard]] march::RouteRange all() const { return {0, routes_.size()}; }
  [[nodiscard]] std::vector<double*> places(N* to) const {
    std::vector<double*> result;
    for (const std::size_t numbers : arrivals_) result.push_back(reinterpret_cast<double*>(to + numbers));
    return result;
  }

  std::unique_ptr<march::Carrier<double>> carrier_;
  std::vector<march::Route> routes_;
  std::vector<std::size_t> arrivals_;
  typename Backend::template Buffer<N*> rooms_;
  march::ExchangeClock<Backend> clock_;
};

}  // namespace tetrawave::fem::device
