// Ghosts and sums of rows that ranks share out, for an iteration on a device (theory/ranks).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/stopwatch.hpp"
#include "fem/device/kernel_list.hpp"
#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::fem::device {

/// Backend: see fem/device/device_system.hpp. Values go through page-locked memory of the host.
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
        totals_(backend, most_sums),
        out_(backend, places_.size()),
        in_(backend, room(ghosts)),
        sums_(backend, most_sums) {
    places_.upload(link.taken());
  }

  /// Fills the places behind the own rows of x with the values of its ghosts.
  void refresh(N* x) {
    const std::size_t count = link_.taken().size();
    backend_.rows(static_cast<std::int32_t>(count), TakeRows<N>{places_.data(), x, taken_.data()});
    backend_.move(out_.data(), taken_.data(), count);
    await();
    link_.exchange(reinterpret_cast<const T*>(out_.data()), reinterpret_cast<T*>(in_.data()));
    backend_.move(x + rows_, in_.data(), ghosts_);
  }

  /// Runs a kernel with sums, which are those of all ranks when it finishes.
  template <class Kernel>
  void sum(std::int32_t count, const Kernel& kernel) {
    static_assert(Kernel::sums <= most_sums);
    backend_.rows(count, SumsOfRank<Kernel>{kernel, totals_.data()});
    backend_.move(sums_.data(), totals_.data(), Kernel::sums);
    await();
    link_.add_up({sums_.data(), Kernel::sums});
    backend_.move(totals_.data(), sums_.data(), Kernel::sums);
    backend_.rows(1, FinishSums<Kernel>{kernel, totals_.data()});
  }

  /// [s] that the device was waited for.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  static constexpr int most_sums = 8;
  static std::size_t room(std::size_t count) { return std::max<std::size_t>(count, 1); }

  void await() {
    Stopwatch watch;
    backend_.synchronize();
    seconds_ += watch.lap();
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
