// Flags by which ranks tell each other, from their devices, that a message has arrived or has been taken.
//
// A flag lies in the memory of the rank that waits for it; its peer has that memory mapped and raises it. A team gives
// besides what kernels/sample.hpp names: publish(flag, value), which makes everything that this device has stored
// before visible to who sees the value, and await(flag, value), which returns when the flag has at least the value.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Raises the flags of routes first, first + 1, .. (one a team) to how often that has been done.
struct RaiseFlags {
  std::uint64_t* const* flag = nullptr;  ///< per route
  std::uint64_t* times = nullptr;        ///< per route
  std::int64_t first = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    if (!team.leads()) return;
    const std::int64_t route = first + team.index();
    team.publish(flag[route], ++times[route]);
  }
};

/// Waits until the flags of those routes have been raised as often as this has been done, less `lag`.
struct AwaitFlags {
  std::uint64_t* const* flag = nullptr;  ///< per route
  std::uint64_t* times = nullptr;        ///< per route
  std::int64_t first = 0;
  std::uint64_t lag = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    if (!team.leads()) return;
    const std::int64_t route = first + team.index();
    const std::uint64_t now = ++times[route];
    if (now > lag) team.await(flag[route], now - lag);
  }
};

}  // namespace tetrawave::kernels
