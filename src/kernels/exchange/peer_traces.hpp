// Traces sent to other ranks, on any transport, and traces received from ranks that can access this one's memory: each
// side's part of an exchange is one kernel for all peers.
//
// A flag is in the memory of the rank that waits for it; its peer has that memory mapped and raises it. In addition to
// the functions in kernels/sample.hpp a team provides: sync() of its members; publish(flag, value), which makes
// everything that this device has stored before visible to a reader of the value; await(flag, value), which returns
// when the flag has at least the value; count_up(counter), which returns the previous value of the counter.
#pragma once

#include <cstdint>

#include "base/target.hpp"

namespace tetrawave::kernels {

/// The flag that the teams of a kernel wait for, and the one that the last team to finish raises; null: none.
struct TeamFlags {
  std::uint64_t* const* awaited = nullptr;
  std::uint64_t* const* raised = nullptr;
  std::uint64_t* times = nullptr;  ///< number of completed executions
  std::uint64_t* done = nullptr;   ///< teams of the present kernel, 0 between kernels
  std::int64_t teams = 1;

  /// Waits until `awaited` has been raised once more than the number of executions, minus `lag`. Every team reads
  /// `times` before the last one changes it.
  template <class Team>
  TW_FN void begin(const Team& team, std::uint64_t lag) const {
    if (awaited == nullptr) return;
    if (team.leads()) {
      const std::uint64_t now = *times + 1;
      if (now > lag) team.await(*awaited, now - lag);
    }
    team.sync();
  }
  /// work(first, last) for the share of team number `index` of [0, count): neighbouring items.
  template <class Work>
  TW_FN void share(std::int64_t index, std::int64_t count, const Work& work) const {
    const std::int64_t chunk = (count + teams - 1) / teams;
    const std::int64_t first = index * chunk;
    work(first, first + chunk < count ? first + chunk : count);
  }
  template <class Team>
  TW_FN void end(const Team& team) const {
    if (raised == nullptr) return;
    team.sync();
    if (!team.leads() || team.count_up(done) + 1 < static_cast<std::uint64_t>(teams)) return;
    *done = 0;
    team.publish(*raised, ++*times);
  }
};

/// Packs traces in the layout of the receiver's ghost elements, message[ghost block][row][lane]: two traces per ghost
/// element, in rows 0.. and face_dofs... A message that is a slot in the peer's memory is written once the slot is
/// empty, two exchanges after it was filled; then the peer is notified.
template <class S>
struct SendTraces {
  const S* field = nullptr;
  const std::int32_t* element = nullptr;  ///< [ghost block][half][lane]
  const std::int32_t* face = nullptr;     ///< likewise
  const std::int32_t* on_face = nullptr;  ///< [face][k]: row of the field
  int dofs = 0;
  int face_dofs = 0;
  std::int64_t blocks = 0;  ///< ghost blocks
  S* message = nullptr;
  TeamFlags flags;

  /// `index`: of a team among those of this message.
  template <class Team>
  TW_FN void run(const Team& team, std::int64_t index) const {
    constexpr int lanes = Team::template lanes<S>;
    flags.begin(team, 2);
    flags.share(index, 2 * blocks * lanes, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first + team.rank(); i < last; i += team.size()) {
        const std::int64_t lane = i % lanes, half = i / lanes % 2, block = i / (2 * lanes), from = element[i];
        const S* own = field + from / lanes * dofs * lanes + from % lanes;
        send_trace<lanes>(own, on_face + static_cast<std::int64_t>(face[i]) * face_dofs,
                          message + (block * dofs + half * face_dofs) * lanes + lane);
      }
    });
    flags.end(team);
  }

 private:
  /// Several numbers at a time, so that they are in flight together.
  template <int lanes>
  TW_FN void send_trace(const S* own, const std::int32_t* rows, S* to) const {
    constexpr int some = 6;
    for (int k = 0; k < face_dofs; k += some) {
      S value[some];
      TW_UNROLL
      for (int j = 0; j < some; ++j) value[j] = k + j < face_dofs ? own[rows[k + j] * lanes] : S(0);
      TW_UNROLL
      for (int j = 0; j < some; ++j)
        if (k + j < face_dofs) to[(k + j) * lanes] = value[j];
    }
  }
};

/// Copies a message, once it has arrived, from its slot to the ghosts, and notifies the peer that the slot is empty.
template <class S>
struct TakeTraces {
  const S* message = nullptr;
  S* ghosts = nullptr;
  std::int64_t count = 0;  ///< numbers
  TeamFlags flags;

  template <class Team>
  TW_FN void run(const Team& team, std::int64_t index) const {
    flags.begin(team, 0);
    flags.share(index, count, [&](std::int64_t first, std::int64_t last) {
      constexpr int some = 4;  // on their way together
      for (std::int64_t i = first + team.rank(); i < last; i += some * team.size()) {
        S value[some];
        TW_UNROLL
        for (int k = 0; k < some; ++k) value[k] = i + k * team.size() < last ? message[i + k * team.size()] : S(0);
        TW_UNROLL
        for (int k = 0; k < some; ++k)
          if (i + k * team.size() < last) ghosts[i + k * team.size()] = value[k];
      }
    });
    flags.end(team);
  }
};

/// Messages of one direction for several peers, in one launch: a chain of kernels would add as many delays. No team
/// waits for another one of the launch, so it does not matter which are resident.
template <class Message>
struct Messages {
  static constexpr int most = 8;
  Message list[most];
  std::int64_t end[most] = {};  ///< the next message's first team in the launch
  int count = 0;

  [[nodiscard]] bool is_full() const { return count == most; }
  [[nodiscard]] std::int64_t teams() const { return count == 0 ? 0 : end[count - 1]; }
  void add(const Message& one) {
    end[count] = teams() + one.flags.teams;
    list[count] = one;
    ++count;
  }

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    int k = 0;
    while (k < count - 1 && team.index() >= end[k]) ++k;
    list[k].run(team, team.index() - (k > 0 ? end[k - 1] : 0));
  }
};

}  // namespace tetrawave::kernels
