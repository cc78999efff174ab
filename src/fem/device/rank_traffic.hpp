// Ghosts and sums of rows that ranks share out, for an iteration on a device (theory/ranks).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/stopwatch.hpp"
#include "fem/device/kernel_list.hpp"
#include "fem/solvers/iterative_solver.hpp"

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

/// Backend: see fem/device/device_system.hpp. Values go through page-locked memory of the host, in a queue of their own
/// (fork, in_front, join of march/elements/element_system.hpp), while the device works on rows without ghosts.
template <class Backend, class T>
class RankTraffic {
 public:
  using N = NumberOf<T>;

  /// `rows`: own ones. All must outlive it.
  RankTraffic(Backend& backend, std::int32_t rows, std::size_t ghosts, RankLink<T>& link)
      : backend_(backend),
        link_(link),
        rows_(rows),
        ghosts_(ghosts),
        places_(backend, room(link.taken().size())),
        taken_(backend, places_.size()),
        totals_(backend, 2 * most_sums),
        out_(backend, places_.size()),
        in_(backend, room(ghosts)),
        sums_(backend, 2 * most_sums) {
    places_.upload(link.taken());
  }

  /// Fills the places behind the own rows of x with the values of its ghosts.
  void refresh(N* x) {
    send(x);
    receive(x);
  }

  /// Fills them while a kernel runs on rows that need none, then runs it on the others.
  template <class Kernel>
  void run(N* x, const Kernel& kernel, const SplitRows<Backend>& split) {
    send(x);
    backend_.rows(count(split.inner), ListedRows<Kernel>{kernel, split.inner.data()});
    receive(x);
    backend_.rows(count(split.border), ListedRows<Kernel>{kernel, split.border.data()});
  }

  /// The same of a kernel with sums, which are those of all ranks when it finishes.
  template <class Kernel>
  void sum(N* x, const Kernel& kernel, const SplitRows<Backend>& split) {
    using Part = SumsOfRank<Kernel>;
    send(x);
    backend_.rows(count(split.inner), ListedRows<Part>{{kernel, totals_.data()}, split.inner.data()});
    receive(x);
    backend_.rows(count(split.border), ListedRows<Part>{{kernel, totals_.data() + Kernel::sums}, split.border.data()});
    finish(kernel, 2);
  }

  /// Runs a kernel with sums that needs no ghosts, or has them.
  template <class Kernel>
  void sum(std::int32_t count, const Kernel& kernel) {
    backend_.rows(count, SumsOfRank<Kernel>{kernel, totals_.data()});
    finish(kernel, 1);
  }

  /// [s] that the device was waited for, and of exchanges beside which it worked.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static constexpr std::size_t most_sums = 8;
  static std::size_t room(std::size_t count) { return std::max<std::size_t>(count, 1); }
  template <class Buffer>
  static std::int32_t count(const Buffer& places) {
    return static_cast<std::int32_t>(places.size());
  }

  void send(N* x) {
    const std::size_t count = link_.taken().size();
    backend_.fork();
    backend_.in_front([&] {
      backend_.rows(static_cast<std::int32_t>(count), TakeRows<N>{places_.data(), x, taken_.data()});
      backend_.move(out_.data(), taken_.data(), count);
      backend_.mark();
    });
  }
  void receive(N* x) {
    Stopwatch watch;
    backend_.wait_for_mark();
    seconds_ += watch.lap();
    link_.exchange(reinterpret_cast<const T*>(out_.data()), reinterpret_cast<T*>(in_.data()));
    if (!backend_.is_idle()) seconds_ += link_.hide();
    backend_.in_front([&] { backend_.move(x + rows_, in_.data(), ghosts_); });
    backend_.join();
  }

  /// Adds up the totals of `parts` launches, one after the other, and of all ranks.
  template <class Kernel>
  void finish(const Kernel& kernel, std::size_t parts) {
    constexpr auto width = static_cast<std::size_t>(Kernel::sums);
    static_assert(width <= most_sums);
    backend_.move(sums_.data(), totals_.data(), parts * width);
    Stopwatch watch;
    backend_.synchronize();
    seconds_ += watch.lap();
    for (std::size_t s = width; s < parts * width; ++s) sums_.data()[s - width] += sums_.data()[s];
    link_.add_up({sums_.data(), width});
    backend_.move(totals_.data(), sums_.data(), width);
    backend_.rows(1, FinishSums<Kernel>{kernel, totals_.data()});
  }

  Backend& backend_;
  RankLink<T>& link_;
  std::int32_t rows_;
  std::size_t ghosts_;
  typename Backend::template Buffer<std::int32_t> places_;
  typename Backend::template Buffer<N> taken_;
  typename Backend::template Buffer<double> totals_;
  typename Backend::template Staging<N> out_, in_;
  typename Backend::template Staging<double> sums_;
  double seconds_ = 0;
};

}  // namespace tetrawave::fem::device
