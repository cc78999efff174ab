// Ghosts and sums of rows that ranks share out, for an iteration on a device (theory/ranks).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fem/device/peer_rows.hpp"
#include "fem/device/rank_kernels.hpp"
#include "fem/device/value_exchange.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "march/exchange/make_carrier.hpp"

namespace tetrawave::fem::device {

/// What every rank sends, by own row: the messages, by route, and the places in them.
struct SentRows {
  struct Place {
    std::int32_t route, at;
  };
  std::vector<std::vector<Place>> of_row;  ///< empty: of no row

  template <class T>
  static SentRows of(const RankLink<T>& link, std::int32_t rows) {
    SentRows sent;
    const auto routes = link.routes();
    if (!routes) return sent;
    sent.of_row.resize(static_cast<std::size_t>(rows));
    auto row = link.taken().begin();
    for (std::size_t r = 0; r < routes->size(); ++r)
      for (std::size_t k = 0; k < (*routes)[r].sent; ++k)
        sent.of_row[static_cast<std::size_t>(*row++)].push_back(
            {static_cast<std::int32_t>(r), static_cast<std::int32_t>(k)});
    return sent;
  }
  [[nodiscard]] bool is_sent(std::size_t row) const { return !of_row.empty() && !of_row[row].empty(); }
};

/// The places of a matrix's rows (fem/device/rows.hpp): the inner ones, and those of the border, with what is sent.
template <class Backend>
class SplitRows {
 public:
  /// `row_at`: the row of each place. `has_ghosts`: per row.
  SplitRows(Backend& backend, const std::vector<std::int32_t>& row_at, const std::vector<bool>& has_ghosts,
            const SentRows& sent)
      : SplitRows(backend, Lists(row_at, has_ghosts, sent)) {}

  template <class N>
  [[nodiscard]] SplitLaunch<N> inner() const {
    SplitLaunch<N> launch;
    launch.inner = inner_.data();
    launch.inner_count = static_cast<std::int32_t>(inner_.size());
    return launch;
  }
  /// Sends `from`, unless it is null.
  template <class N>
  [[nodiscard]] SplitLaunch<N> border(N* const* messages, const N* from) const {
    SplitLaunch<N> launch;
    launch.border = border_.data();
    launch.border_count = static_cast<std::int32_t>(border_.size());
    launch.messages = {rows_.data(), first_.data(), route_.data(), at_.data(), messages, from};
    return launch;
  }

 private:
  struct Lists {
    Lists(const std::vector<std::int32_t>& row_at, const std::vector<bool>& has_ghosts, const SentRows& sent) {
      first.push_back(0);
      for (std::size_t place = 0; place < row_at.size(); ++place) {
        const auto row = static_cast<std::size_t>(row_at[place]);
        if (!has_ghosts[row] && !sent.is_sent(row)) {
          inner.push_back(static_cast<std::int32_t>(place));
          continue;
        }
        border.push_back(static_cast<std::int32_t>(place));
        rows.push_back(row_at[place]);
        if (sent.is_sent(row))
          for (const SentRows::Place& to : sent.of_row[row]) {
            route.push_back(to.route);
            at.push_back(to.at);
          }
        first.push_back(static_cast<std::int32_t>(route.size()));
      }
    }
    std::vector<std::int32_t> inner, border, rows, first, route, at;
  };
  SplitRows(Backend& backend, const Lists& lists)
      : inner_(backend, lists.inner),
        border_(backend, lists.border),
        rows_(backend, lists.rows),
        first_(backend, lists.first),
        route_(backend, lists.route),
        at_(backend, lists.at) {}

  typename Backend::template Buffer<std::int32_t> inner_, border_, rows_, first_, route_, at_;
};

/// Backend: see fem/device/device_system.hpp. Over Backend::transport(): with ipc the ranks' kernels store ghosts and
/// sums in each other's memory, in the launches that make them. Else they are carried, ghosts in a queue of their own
/// (fork, in_front, join of march/elements/element_system.hpp) while the device works on the inner rows.
template <class Backend, class T>
class RankTraffic {
 public:
  using N = NumberOf<T>;
  using Split = SplitRows<Backend>;
  static constexpr std::size_t vectors = 6;  ///< whose ghosts are asked for

  /// `rows`: own ones. All must outlive it.
  RankTraffic(Backend& backend, std::int32_t rows, std::size_t ghosts, RankLink<T>& link)
      : backend_(backend),
        ranks_(link.ranks()),
        rows_(static_cast<std::size_t>(rows)),
        places_(rows_ + ghosts),
        totals_(backend, static_cast<std::size_t>(ranks_.size()) * most_sums) {
    const auto routes = link.routes();
    const bool maps = ranks_.size() > 1 && backend.transport() == Transport::ipc;
    if (maps)
      peers_.emplace(backend, ranks_, routes.value_or(std::vector<march::Route>{}), vectors, routes ? rows_ : places_);
    else
      memory_.emplace(backend, vectors * places_);
    if (!routes)
      gather(link, ghosts);
    else if (ranks_.size() > 1 && !maps)
      carry_ghosts(*routes);
    if (ranks_.size() > 1 && !maps) carry_sums();
  }

  /// Collective, before all others.
  void open() {
    if (peers_) peers_->open();
    if (ghosts_) ghosts_->open();
    if (sums_) sums_->open();
  }
  [[nodiscard]] const comm::Communicator& ranks() const { return ranks_; }
  /// Vector number v.
  [[nodiscard]] N* vector(std::size_t v) const { return peers_ ? peers_->vector(v) : memory_->data() + v * places_; }
  /// Whether the host takes part, so that iterations cannot be recorded.
  [[nodiscard]] bool needs_host() const { return (ghosts_ && ghosts_->needs_host()) || (sums_ && sums_->needs_host()); }

  /// What is queued next is of iteration n.
  void begin_iteration(std::int64_t n) {
    counts_ = true;
    if (ghosts_) ghosts_->clock().begin_step(n);
    if (sums_) sums_->clock().begin_step(n);
  }
  /// Those [first, first + count) have been queued, and the next is of none.
  void end_iterations(std::int64_t first, std::int64_t count) {
    counts_ = false;
    const auto end = [&](auto& exchange) {
      if (!exchange) return;
      exchange->clock().count(first, count);
      exchange->clock().look_away();
    };
    end(ghosts_);
    end(sums_);
  }
  /// Of iterations, without `all`.
  [[nodiscard]] IterationSeconds seconds() {
    IterationSeconds seconds;
    if (peers_) {
      const std::vector<double> waited = peers_->waited();
      seconds.exchange = waited[0];
      seconds.sums = waited[1];
    }
    if (ghosts_) seconds.exchange += ghosts_->clock().seconds().exposed;
    if (sums_) seconds.sums += sums_->clock().seconds().exposed + sums_->clock().seconds().hidden;
    return seconds;
  }

  // Every vector that is sent, all of it, is received by the next `run` or `sum` of rows that read ghosts.

  /// x, one of the vectors.
  void send(N* x, const Split& split) {
    if (N* const* const to = messages(x)) launch(SendOnly{}, split.border(to, x), false, true);
    dispatch(x);
  }
  /// Runs a kernel that writes y, which is sent.
  template <class Kernel>
  void run(const Kernel& kernel, const Split& split, N* y) {
    SplitLaunch<N> border = split.border(messages(y), y);
    if (!ghosts_) {
      launch(kernel, both(split, border), true, true);
    } else {
      launch(kernel, split.template inner<N>(), false, false);
      receive();
      launch(kernel, border, false, false);
    }
    dispatch(y);
  }
  /// Runs a kernel with sums, which are those of all ranks when it finishes. A kernel that `hold` was called with
  /// finishes before.
  template <class Kernel, class Held = Kernel>
  void sum(const Kernel& kernel, const Split& split, const std::optional<Held>& held = {}) {
    RankSums<Kernel, Held> sums{kernel, plan(true, held.has_value()), held.value_or(Held{})};
    const SplitLaunch<N> border = split.template border<N>(nullptr, nullptr);
    if (!ghosts_) {
      launch(sums, both(split, border), true, false);
    } else {
      const RankSumsPlan last = std::exchange(sums.plan, plan(false, held.has_value()));
      launch(sums, split.template inner<N>(), false, false);
      receive();
      sums.plan = last;
      sums.plan.adds = true;
      launch(sums, border, false, false);
    }
    finish(sums);
  }
  /// The same of a kernel on all own rows, which reads no ghosts.
  template <class Kernel>
  void sum(const Kernel& kernel) {
    const RankSums<Kernel> sums{kernel, plan(true, false)};
    backend_.rows(static_cast<std::int32_t>(rows_), sums);
    finish(sums);
  }
  /// Runs one that is to finish with the next.
  template <class Kernel>
  void hold(const Kernel& kernel) {
    backend_.rows(static_cast<std::int32_t>(rows_), RankSums<Kernel>{kernel, plan(false, false)});
  }

 private:
  /// `routes` in rows.
  void carry_ghosts(std::vector<march::Route> routes) {
    std::vector<std::size_t> arrivals{0};
    for (march::Route& route : routes) {
      arrivals.push_back(arrivals.back() + route.received);
      route.sent *= parts<N>;
      route.received *= parts<N>;
    }
    arrivals.pop_back();
    ghosts_.emplace(backend_, march::make_carrier<Backend, double>(backend_, ranks_, routes), routes,
                    std::move(arrivals));
  }
  void gather(RankLink<T>& link, std::size_t ghosts) {
    gathers_ = true;
    const march::Route route{ranks_.rank(), parts<N> * rows_, parts<N> * ghosts};
    ghosts_.emplace(backend_, std::make_unique<LinkCarrier<Backend, T>>(backend_, route, link), std::vector{route},
                    std::vector<std::size_t>{0});
  }
  void carry_sums() {
    std::vector<march::Route> routes;
    std::vector<std::size_t> arrivals;
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      if (rank == ranks_.rank()) continue;
      routes.push_back({rank, most_sums, most_sums});
      arrivals.push_back(static_cast<std::size_t>(rank) * most_sums);
    }
    sums_.emplace(backend_, march::make_carrier<Backend, double>(backend_, ranks_, routes), routes,
                  std::move(arrivals));
  }

  /// Where ghosts of a vector go, by route.
  [[nodiscard]] N* const* messages(const N* x) const {
    if (gathers_) return nullptr;
    if (ghosts_) return ghosts_->rooms();
    if (!peers_) return nullptr;
    std::size_t v = 0;
    while (v < vectors && vector(v) != x) ++v;
    ensure(v < vectors, "ghosts are asked for of vectors of the traffic alone");
    return peers_->messages(v);
  }
  [[nodiscard]] static SplitLaunch<N> both(const Split& split, SplitLaunch<N> border) {
    const SplitLaunch<N> inner = split.template inner<N>();
    border.inner = inner.inner;
    border.inner_count = inner.inner_count;
    return border;
  }
  template <class Kernel>
  void launch(const Kernel& kernel, SplitLaunch<N> split, bool receives, bool sends) {
    if (split.messages.messages == nullptr) split.messages.from = nullptr;
    if (peers_) split.flags = peers_->flags(receives, sends, counts_);
    backend_.split_rows(kernel, split);
  }
  /// A vector is in its messages: they go.
  void dispatch(N* x) {
    if (!ghosts_) return;
    under_way_ = x;
    backend_.fork();
    backend_.in_front([&] {
      if (gathers_) backend_.move(ghosts_->room(0), x, rows_);
      ghosts_->dispatch();
    });
  }
  void receive() {
    N* const to = under_way_ + rows_;
    ghosts_->note_other_work();
    ghosts_->carry(to);
    backend_.in_front([&] { ghosts_->deliver(to); });
    backend_.join();
    ghosts_->end();
  }

  [[nodiscard]] RankSumsPlan plan(bool goes, bool has_held) const {
    RankSumsPlan made;
    made.own = totals_.data() + ranks_.rank() * most_sums;
    made.has_held = has_held;
    made.mails = goes && peers_;
    if (made.mails) made.mail = peers_->mail(counts_);
    if (!goes || !sums_) return made;
    made.rooms = sums_->rooms();
    made.routes = static_cast<std::int32_t>(sums_->routes());
    return made;
  }
  template <class Sums>
  void finish(const Sums& sums) {
    if (peers_) return;
    if (sums_) {
      sums_->dispatch();
      sums_->note_other_work();
      sums_->carry(totals_.data());
      sums_->deliver(totals_.data());
      sums_->end();
    }
    backend_.rows(1, FinishSums<Sums>{sums, totals_.data(), ranks_.size()});
  }

  Backend& backend_;
  comm::Communicator ranks_;
  std::size_t rows_, places_;
  typename Backend::template Buffer<double> totals_;            ///< [rank][most_sums]
  std::optional<typename Backend::template Buffer<N>> memory_;  ///< of vectors
  std::optional<ValueExchange<Backend, N>> ghosts_;
  std::optional<ValueExchange<Backend, double>> sums_;
  std::optional<PeerRows<Backend, N>> peers_;
  N* under_way_ = nullptr;
  bool gathers_ = false;
  bool counts_ = false;
};

}  // namespace tetrawave::fem::device
