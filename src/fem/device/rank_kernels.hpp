// Kernels of rows that ranks share out. Rows are launched in two parts, those without ghosts and the border, whose
// values other ranks need, too: it waits for their messages, where they come by themselves, and sends. Sums are those
// of all ranks, added up in the order of ranks, on each.
//
// `Team`: of the backend, with the functions of kernels/exchange/peer_traces.hpp.
#pragma once

#include <cstdint>

#include "fem/device/kernels.hpp"

namespace tetrawave::fem::device {

inline constexpr int most_sums = 8;  ///< that ranks add up at a time

/// Exchanges of messages that are stored in their place by the ranks that send them. All tables are per peer.
struct BorderFlags {
  std::int32_t peers = 0;  ///< with messages; 0: they are carried
  std::uint64_t* const* awaited = nullptr;
  std::uint64_t* const* raised = nullptr;
  std::uint64_t* sent = nullptr;  ///< exchanges so far: as many have been sent by every peer when its last one is there
  std::uint64_t* done = nullptr;  ///< teams of the present kernel, 0 between kernels
  std::int64_t* waited = nullptr;  ///< nanoseconds, or null
  bool receives = false;           ///< before the border's rows are read
  bool sends = false;

  template <class Team>
  TW_FN void begin(const Team& team, bool is_first) const {
    if (peers == 0 || !receives) return;
    if (team.leads()) {
      const bool looks = is_first && waited != nullptr;
      const std::int64_t begin = looks ? team.nanoseconds() : 0;
      const std::uint64_t last = *sent;
      for (std::int32_t p = 0; p < peers; ++p) team.await(awaited[p], last);
      if (looks) *waited += team.nanoseconds() - begin;
    }
    team.sync();
  }
  template <class Team>
  TW_FN void end(const Team& team, std::uint64_t teams) const {
    if (peers == 0 || !sends) return;
    team.sync();
    if (!team.leads() || team.count_up(done) + 1 < teams) return;
    *done = 0;
    const std::uint64_t next = ++*sent;
    for (std::int32_t p = 0; p < peers; ++p) team.publish(raised[p], next);
  }
};

/// What a border sends: number k of `first[i]` to `first[i + 1]`, of its row i, is place `at[k]` of message `route[k]`.
template <class N>
struct BorderMessages {
  const std::int32_t* rows = nullptr;
  const std::int32_t* first = nullptr;
  const std::int32_t* route = nullptr;
  const std::int32_t* at = nullptr;
  N* const* messages = nullptr;
  const N* from = nullptr;  ///< the vector; null: nothing is sent

  /// By the one that has written row i of the border.
  TW_FN void send(std::int32_t i) const {
    if (from == nullptr) return;
    const N value = from[rows[i]];
    for (std::int32_t k = first[i]; k < first[i + 1]; ++k) messages[route[k]][at[k]] = value;
  }
};

/// A launch of a kernel on rows at some places: inner ones, and those of the border (cuda/iteration/rows.cuh: where).
template <class N>
struct SplitLaunch {
  const std::int32_t* inner = nullptr;
  const std::int32_t* border = nullptr;
  std::int32_t inner_count = 0;
  std::int32_t border_count = 0;
  BorderMessages<N> messages;
  BorderFlags flags;
};

/// No work on rows: what they have is sent.
struct SendOnly {
  static constexpr int width = 1, sums = 0;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t, double*) const {}
};

/// Sums that ranks store in each other's memory, [2][ranks][most_sums], every other exchange in the same place: a rank
/// is there again when all have read it, or their next ones would be missing.
struct SumMail {
  std::int32_t rank = 0, ranks = 1;
  double* const* rooms = nullptr;           ///< per rank
  std::uint64_t* const* awaited = nullptr;  ///< per rank: raised by it
  std::uint64_t* const* raised = nullptr;   ///< per rank: that it waits for
  std::uint64_t* times = nullptr;           ///< exchanges so far
  std::int64_t* waited = nullptr;           ///< nanoseconds, or null

  /// By one thread: the sums of all ranks.
  template <class Team>
  TW_FN const double* exchange(const Team& team, const double* own) const {
    const std::int64_t begin = waited == nullptr ? 0 : team.nanoseconds();
    const std::uint64_t now = ++*times;
    const std::int64_t turn = static_cast<std::int64_t>(now % 2) * ranks * most_sums;
    for (std::int32_t r = 0; r < ranks; ++r)
      for (int s = 0; s < most_sums; ++s) rooms[r][turn + rank * most_sums + s] = own[s];
    for (std::int32_t r = 0; r < ranks; ++r)
      if (r != rank) team.publish(raised[r], now);
    for (std::int32_t r = 0; r < ranks; ++r)
      if (r != rank) team.await(awaited[r], now);
    if (waited != nullptr) *waited += team.nanoseconds() - begin;
    return rooms[rank] + turn;
  }
};

/// What becomes of the sums of a kernel: they stay in `own`, go into the messages of carriers, or by mail.
struct RankSumsPlan {
  double* own = nullptr;           ///< [most_sums], of this rank
  double* const* rooms = nullptr;  ///< of carriers
  std::int32_t routes = 0;
  bool adds = false;      ///< to what a first launch of the kernel has left
  bool has_held = false;  ///< behind those of another kernel
  bool mails = false;
  SumMail mail;
};

/// A kernel whose sums are those of all ranks when it finishes, after those of the kernel that was held back.
template <class Kernel, class Held = Kernel>
struct RankSums {
  static constexpr int width = Kernel::width, sums = Kernel::sums, held_sums = Held::sums;
  Kernel kernel;
  RankSumsPlan plan;
  Held held = {};

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double* partial) const {
    kernel(group, i, partial);
  }
  template <class Team>
  TW_FN void finish(const Team& team, const double* totals) const {
    double* const to = plan.own + (plan.has_held ? held_sums : 0);
    for (int s = 0; s < sums; ++s) to[s] = plan.adds ? to[s] + totals[s] : totals[s];
    for (std::int32_t r = 0; r < plan.routes; ++r)
      for (int s = 0; s < most_sums; ++s) plan.rooms[r][s] = plan.own[s];
    if (plan.mails) finish_all(plan.mail.exchange(team, plan.own), plan.mail.ranks);
  }
  /// `of_ranks`: [ranks][most_sums]
  TW_FN void finish_all(const double* of_ranks, std::int32_t ranks) const {
    double all[most_sums];
    for (int s = 0; s < most_sums; ++s) {
      all[s] = of_ranks[s];
      for (std::int32_t r = 1; r < ranks; ++r) all[s] += of_ranks[r * most_sums + s];
    }
    if (plan.has_held) held.finish(all);
    kernel.finish(all + (plan.has_held ? held_sums : 0));
  }
};

/// The end of such a kernel whose sums were carried.
template <class Sums>
struct FinishSums {
  static constexpr int width = 1, sums = 0;
  Sums of;
  const double* totals = nullptr;  ///< [rank][most_sums]
  std::int32_t ranks = 1;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t, double*) const {
    of.finish_all(totals, ranks);
  }
};

}  // namespace tetrawave::fem::device
