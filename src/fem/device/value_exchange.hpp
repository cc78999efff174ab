// Values of a vector on a device that go to other ranks, and theirs, over any transport (march/exchange/carrier.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "fem/solvers/iterative_solver.hpp"
#include "kernels/exchange/send_values.hpp"
#include "march/exchange/carrier.hpp"
#include "march/exchange/exchange_clock.hpp"

namespace tetrawave::fem::device {

/// Through page-locked memory of the host, by RankLink::exchange: a route that ends on this rank.
template <class Backend, class T>
class LinkCarrier final : public march::Carrier<double> {
 public:
  LinkCarrier(Backend& backend, const march::Route& route, RankLink<T>& link)
      : backend_(backend),
        link_(link),
        packed_(backend, route.sent),
        out_(backend, route.sent),
        in_(backend, route.received) {}

  double* room(std::size_t /*route*/) override { return packed_.data(); }
  void dispatch(march::RouteRange /*routes*/) override {
    backend_.move(out_.data(), packed_.data(), out_.size());
    backend_.mark();
  }
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
  typename Backend::template Buffer<double> packed_;
  typename Backend::template Staging<double> out_, in_;
};

/// The exchanges of vectors with `parts` doubles per row: `rows` are taken, in the order of the routes.
template <class Backend, int parts>
class ValueExchange {
 public:
  /// `arrivals`: per route, how many rows behind the place given to `deliver` its values begin.
  ValueExchange(Backend& backend, std::unique_ptr<march::Carrier<double>> carrier,
                const std::vector<march::Route>& routes, const std::vector<std::int32_t>& rows,
                std::vector<std::size_t> arrivals)
      : backend_(backend),
        carrier_(std::move(carrier)),
        routes_(routes),
        arrivals_(std::move(arrivals)),
        rows_(backend, rows),
        clock_(backend, !routes.empty()) {}

  /// Collective, before the first exchange.
  void open() { carrier_->open(); }
  [[nodiscard]] bool needs_host() const { return carrier_->needs_host(); }
  [[nodiscard]] std::size_t turn() const { return carrier_->turn(); }
  /// Of exchanges in iterations.
  [[nodiscard]] march::ExchangeClock<Backend>& clock() { return clock_; }

  // The parts of an exchange. All are queued, but for `carry`, which may wait.
  void send(const double* vector) {
    march::MessageQueue<kernels::SendValues<double, parts>> queue;
    const std::int32_t* rows = rows_.data();
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      const auto numbers = static_cast<std::int64_t>(routes_[r].sent);
      const auto like = carrier_->message(r, {}, march::teams_for(numbers));
      queue.add({vector, rows, numbers / parts, like.message, like.flags});
      rows += numbers / parts;
    }
    for (const auto& messages : queue.launches()) backend_.for_teams(messages, messages.teams());
    carrier_->dispatch(all());
    clock_.note(kernels::traces_sent);
  }
  void note_other_work() { clock_.note(kernels::inner_done); }
  void carry(double* to) { carrier_->carry(all(), places(to)); }
  void deliver(double* to) {
    carrier_->deliver(all(), places(to));
    clock_.note(kernels::ghosts_there);
  }
  void end() { clock_.add(); }

 private:
  [[nodiscard]] march::RouteRange all() const { return {0, routes_.size()}; }
  [[nodiscard]] std::vector<double*> places(double* to) const {
    std::vector<double*> result;
    for (const std::size_t rows : arrivals_) result.push_back(to + rows * parts);
    return result;
  }

  Backend& backend_;
  std::unique_ptr<march::Carrier<double>> carrier_;
  std::vector<march::Route> routes_;
  std::vector<std::size_t> arrivals_;
  typename Backend::template Buffer<std::int32_t> rows_;
  march::ExchangeClock<Backend> clock_;
};

}  // namespace tetrawave::fem::device
