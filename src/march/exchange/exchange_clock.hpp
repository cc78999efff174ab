// Durations of exchanges of traces, and the part for which the update waits: by the device's own clock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/exchange/exchange_list.hpp"

namespace tetrawave::march {

/// Seconds so far on one rank.
struct ExchangeSeconds {
  double exposed = 0;  ///< time that elements waited for ghosts
  double hidden = 0;   ///< transfer time overlapped with the update of elements
};

/// Measures the exchanges of some steps (on a GPU of every sixteenth, as a measurement costs two small kernels) and
/// assumes that the others are the same.
template <class Backend>
class ExchangeClock {
 public:
  static constexpr std::int64_t every = Backend::is_host ? 1 : 16;

  /// `any`: whether this rank exchanges anything.
  ExchangeClock(Backend& backend, bool any) : backend_(backend) {
    if (!any) return;
    marks_.emplace(backend, static_cast<std::size_t>(kernels::exchange_marks));
    sums_.emplace(backend, std::size_t{2});
  }

  /// Whether the exchanges queued next, of step n, are measured.
  void begin_step(std::int64_t n) { looks_ = marks_ && n % every == 0; }
  void look_away() { looks_ = false; }
  /// Steps [n, n + steps) have been queued.
  void count(std::int64_t n, std::int64_t steps) {
    steps_ += steps;
    seen_ += (n + steps + every - 1) / every - (n + every - 1) / every;
  }

  void note(kernels::ExchangeMark mark) {
    if (looks_) backend_.for_teams(kernels::NoteTime{marks_->data(), mark}, 1);
  }
  void add() {
    if (looks_) backend_.for_teams(kernels::AddExchange{marks_->data(), sums_->data()}, 1);
  }

  [[nodiscard]] ExchangeSeconds seconds() const {
    if (!sums_ || seen_ == 0) return {};
    const std::vector<std::int64_t> sums = sums_->download();
    const double scale = 1e-9 * static_cast<double>(steps_) / static_cast<double>(seen_);
    return {scale * static_cast<double>(sums[0]), scale * static_cast<double>(sums[1])};
  }

 private:
  Backend& backend_;
  std::optional<typename Backend::template Buffer<std::int64_t>> marks_;
  std::optional<typename Backend::template Buffer<std::int64_t>> sums_;
  bool looks_ = false;
  std::int64_t steps_ = 0;
  std::int64_t seen_ = 0;
};

}  // namespace tetrawave::march
