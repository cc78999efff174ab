// Durations of messages between ranks, measured on the device by its own clock: team.nanoseconds().
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// Times of one exchange: traces sent, inner elements updated, ghosts received.
enum ExchangeMark { traces_sent = 0, inner_done = 1, ghosts_there = 2, exchange_marks = 3 };

/// marks[mark] = now.
struct NoteTime {
  std::int64_t* marks = nullptr;
  int mark = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    if (team.leads()) marks[mark] = team.nanoseconds();
  }
};

/// sums[0] += time waited for ghosts, sums[1] += transfer time overlapped with the update.
struct AddExchange {
  const std::int64_t* marks = nullptr;
  std::int64_t* sums = nullptr;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    if (!team.leads()) return;
    const std::int64_t travelled = marks[ghosts_there] - marks[traces_sent];
    const std::int64_t late = marks[ghosts_there] - marks[inner_done];
    const std::int64_t exposed = late < 0 ? 0 : (late < travelled ? late : travelled);
    sums[0] += exposed;
    sums[1] += travelled - exposed;
  }
};

}  // namespace tetrawave::kernels
