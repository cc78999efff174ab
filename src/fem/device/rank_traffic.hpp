// Ghosts and sums of rows that ranks share out, for an iteration on a device (theory/ranks).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fem/device/kernel_list.hpp"
#include "fem/device/value_exchange.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "march/exchange/make_carrier.hpp"

namespace tetrawave::fem::device {

/// The places of a matrix's rows (fem/device/rows.hpp): without ghosts, and with some.
template <class Backend>
struct SplitRows {
  /// `row_at`: the row of each place. `has_ghosts`: per row.
  SplitRows(Backend& backend, const std::vector<std::int32_t>& row_at, const std::vector<bool>& has_ghosts)
      : inner(list(backend, row_at, has_ghosts, false)), border(list(backend, row_at, has_ghosts, true)) {}

  typename Backend::template Buffer<std::int32_t> inner, border;

 private:
  static auto list(Backend& backend, const std::vector<std::int32_t>& row_at, const std::vector<bool>& has_ghosts,
                   bool with) {
    std::vector<std::int32_t> places;
    for (std::size_t place = 0; place < row_at.size(); ++place)
      if (has_ghosts[static_cast<std::size_t>(row_at[place])] == with)
        places.push_back(static_cast<std::int32_t>(place));
    typename Backend::template Buffer<std::int32_t> buffer(backend, places.size());
    buffer.upload(places);
    return buffer;
  }
};

/// Backend: see fem/device/device_system.hpp. Ghosts travel in a queue of their own (fork, in_front, join of
/// march/elements/element_system.hpp) while the device works on rows without ghosts, over Backend::transport().
template <class Backend, class T>
class RankTraffic {
 public:
  using N = NumberOf<T>;

  /// `rows`: own ones. All must outlive it.
  RankTraffic(Backend& backend, std::int32_t rows, std::size_t ghosts, RankLink<T>& link)
      : backend_(backend),
        rank_(link.ranks().rank()),
        ranks_(link.ranks().size()),
        rows_(rows),
        totals_(backend, static_cast<std::size_t>(ranks_) * most_sums) {
    if (const auto routes = link.routes(); !routes)
      add_ghosts(std::vector{march::Route{rank_, link.taken().size(), ghosts}}, link);
    else if (ranks_ > 1)
      add_ghosts(*routes, link);
    if (ranks_ > 1) add_sums(link.ranks());
  }

  /// Collective, before all others.
  void open() {
    if (ghosts_) ghosts_->open();
    if (sums_) sums_->open();
  }
  /// Whether the host takes part, so that iterations cannot be recorded.
  [[nodiscard]] bool needs_host() const { return (ghosts_ && ghosts_->needs_host()) || (sums_ && sums_->needs_host()); }
  /// See Carrier::turn, below `turns`.
  static constexpr std::size_t turns = 4;
  [[nodiscard]] std::size_t turn() const { return (ghosts_ ? ghosts_->turn() : 0) + (sums_ ? 2 * sums_->turn() : 0); }

  /// What is queued next is of iteration n, or of none.
  void begin_iteration(std::int64_t n) {
    if (ghosts_) ghosts_->clock().begin_step(n);
    if (sums_) sums_->clock().begin_step(n);
  }
  void end_iterations(std::int64_t first, std::int64_t count) {
    for (auto* clock : {ghosts_ ? &ghosts_->clock() : nullptr, sums_ ? &sums_->clock() : nullptr}) {
      if (clock == nullptr) continue;
      clock->count(first, count);
      clock->look_away();
    }
  }
  /// Of iterations, without `all`.
  [[nodiscard]] IterationSeconds seconds() {
    const march::ExchangeSeconds sums = sums_ ? sums_->clock().seconds() : march::ExchangeSeconds{};
    return {0, ghosts_ ? ghosts_->clock().seconds().exposed : 0, sums.exposed + sums.hidden};
  }

  /// Fills the places behind the own rows of x with the values of its ghosts.
  void refresh(N* x) {
    beside(x, [] {});
  }

  /// Fills them while a kernel runs on rows that need none, then runs it on the others.
  template <class Kernel>
  void run(N* x, const Kernel& kernel, const SplitRows<Backend>& split) {
    const auto run_on = [&](const auto& places) {
      backend_.rows(count(places), ListedRows<Kernel>{kernel, places.data()});
    };
    beside(x, [&] { run_on(split.inner); });
    run_on(split.border);
  }

  /// The same of a kernel with sums, which are those of all ranks when it finishes. Sums of a kernel that `hold` was
  /// called with travel with them, and it finishes first.
  template <class Kernel, class... Held>
  void sum(N* x, const Kernel& kernel, const SplitRows<Backend>& split, const Held&... held) {
    static_assert((Kernel::sums + ... + Held::sums) <= most_sums);
    constexpr int before = (0 + ... + Held::sums);
    const auto run_on = [&](const auto& places, bool adds) {
      backend_.rows(count(places), ListedRows<SumsOfRank<Kernel>>{{kernel, own() + before, adds}, places.data()});
    };
    beside(x, [&] { run_on(split.inner, false); });
    run_on(split.border, true);
    exchange_sums();
    (backend_.rows(1, FinishSums<Held>{held, totals_.data(), ranks_}), ...);
    backend_.rows(1, FinishSums<Kernel>{kernel, totals_.data() + before, ranks_});
  }

  /// Runs a kernel with sums that needs no ghosts, or has them.
  template <class Kernel>
  void sum(std::int32_t count, const Kernel& kernel) {
    hold(count, kernel);
    exchange_sums();
    backend_.rows(1, FinishSums<Kernel>{kernel, totals_.data(), ranks_});
  }
  /// Runs one that is to finish with the next.
  template <class Kernel>
  void hold(std::int32_t count, const Kernel& kernel) {
    backend_.rows(count, SumsOfRank<Kernel>{kernel, own(), false});
  }

 private:
  template <class Buffer>
  static std::int32_t count(const Buffer& places) {
    return static_cast<std::int32_t>(places.size());
  }

  /// `routes` in values.
  void add_ghosts(std::vector<march::Route> routes, RankLink<T>& link) {
    std::vector<std::size_t> arrivals{0};
    for (march::Route& route : routes) {
      arrivals.push_back(arrivals.back() + route.received);
      route.sent *= parts<N>;
      route.received *= parts<N>;
    }
    arrivals.pop_back();
    std::unique_ptr<march::Carrier<double>> carrier;
    if (link.routes())
      carrier = march::make_carrier<Backend, double>(backend_, link.ranks(), routes);
    else
      carrier = std::make_unique<LinkCarrier<Backend, T>>(backend_, routes.front(), link);
    ghosts_.emplace(backend_, std::move(carrier), routes, link.taken(), std::move(arrivals));
  }
  void add_sums(const comm::Communicator& ranks) {
    std::vector<march::Route> routes;
    std::vector<std::size_t> arrivals;
    std::vector<std::int32_t> taken;
    for (int rank = 0; rank < ranks_; ++rank) {
      if (rank == rank_) continue;
      routes.push_back({rank, most_sums, most_sums});
      arrivals.push_back(static_cast<std::size_t>(rank) * most_sums);
      for (std::int32_t k = 0; k < most_sums; ++k) taken.push_back(k);
    }
    sums_.emplace(backend_, march::make_carrier<Backend, double>(backend_, ranks, routes), routes, taken,
                  std::move(arrivals));
  }

  /// Ghosts of x, while the device does what `work` queues.
  template <class Work>
  void beside(N* x, const Work& work) {
    if (!ghosts_) return work();
    auto* const vector = reinterpret_cast<double*>(x);
    double* const to = vector + static_cast<std::int64_t>(rows_) * parts<N>;
    backend_.fork();
    backend_.in_front([&] { ghosts_->send(vector); });
    work();
    ghosts_->note_other_work();
    ghosts_->carry(to);
    backend_.in_front([&] { ghosts_->deliver(to); });
    backend_.join();
    ghosts_->end();
  }

  [[nodiscard]] double* own() const { return totals_.data() + static_cast<std::int64_t>(rank_) * most_sums; }
  void exchange_sums() {
    if (!sums_) return;
    sums_->send(own());
    sums_->note_other_work();
    sums_->carry(totals_.data());
    sums_->deliver(totals_.data());
    sums_->end();
  }

  Backend& backend_;
  int rank_, ranks_;
  std::int32_t rows_;
  typename Backend::template Buffer<double> totals_;  ///< [rank][most_sums]
  std::optional<ValueExchange<Backend, parts<N>>> ghosts_;
  std::optional<ValueExchange<Backend, 1>> sums_;
};

}  // namespace tetrawave::fem::device
