// Timing of work on a device.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

#include "comm/communicator.hpp"

namespace tetrawave::march {

/// Seconds of one `work`, on the slowest rank: the fastest of batches of four, over a tenth of a second. Earlier work
/// is finished first. Collective.
template <class Work, class Synchronize>
double time_of(const Work& work, const Synchronize& synchronize, const comm::Communicator& ranks) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough_s = 0.1;
  double seconds = 0;
  double fastest = std::numeric_limits<double>::infinity();
  while (seconds < enough_s) {
    const auto begin = Clock::now();
    for (int k = 0; k < 4; ++k) work();
    synchronize();
    const double batch = ranks.max(std::chrono::duration<double>(Clock::now() - begin).count());
    seconds += batch;
    fastest = std::min(fastest, batch / 4);
  }
  return fastest;
}

}  // namespace tetrawave::march
