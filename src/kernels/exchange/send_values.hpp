// Rows of a vector sent to other ranks, as traces are (kernels/exchange/peer_traces.hpp).
#pragma once

#include <cstdint>

#include "kernels/exchange/peer_traces.hpp"

namespace tetrawave::kernels {

/// Packs numbers of some rows, `parts` per row, in the order of `rows`, into a message as SendTraces does.
template <class S, int parts>
struct SendValues {
  const S* vector = nullptr;
  const std::int32_t* rows = nullptr;
  std::int64_t count = 0;  ///< rows
  S* message = nullptr;
  TeamFlags flags;

  template <class Team>
  TW_FN void run(const Team& team, std::int64_t index) const {
    flags.begin(team, 2);
    flags.share(index, parts * count, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first + team.rank(); i < last; i += team.size())
        message[i] = vector[static_cast<std::int64_t>(rows[i / parts]) * parts + i % parts];
    });
    flags.end(team);
  }
};

}  // namespace tetrawave::kernels
