// The common interface of transports of field traces between ranks.
//
// A route is one field's traces sent to another rank and received from it. Both ranks list their routes in the same
// order. An exchange is of a range of routes and has four parts, with work on elements in between:
//
//   message    what packs the traces of a route, into `room` for them
//   dispatch   queued after it: the traces go
//   carry      what the host does for them, while the device advances inner elements
//   deliver    queued: the ghosts are there for what is queued afterwards
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/exchange/peer_traces.hpp"

namespace tetrawave::march {

/// Numbers sent to a rank and received from it.
struct Route {
  int rank = 0;
  std::size_t sent = 0;
  std::size_t received = 0;
};

struct RouteRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Traces of a field for a route: see SendTraces.
template <class S>
struct TraceList {
  const S* field = nullptr;
  const std::int32_t* element = nullptr;
  const std::int32_t* face = nullptr;
  const std::int32_t* on_face = nullptr;
  int dofs = 0;
  int face_dofs = 0;
  std::int64_t blocks = 0;
};

/// Number of teams that share so many numbers, where each has the most members that a backend provides.
inline std::int64_t teams_for(std::int64_t numbers) {
  constexpr std::int64_t members = 128;
  return std::clamp<std::int64_t>((numbers + members - 1) / members, 1, std::int64_t{1} << 20);
}

/// Messages in the fewest possible launches.
template <class Message>
class MessageQueue {
 public:
  void add(const Message& message) {
    if (launches_.empty() || launches_.back().is_full()) launches_.emplace_back();
    launches_.back().add(message);
  }
  [[nodiscard]] const std::vector<kernels::Messages<Message>>& launches() const { return launches_; }

 private:
  std::vector<kernels::Messages<Message>> launches_;
};

template <class S>
class Carrier {
 public:
  Carrier() = default;
  virtual ~Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Once, before the first exchange: collective, also on ranks without routes.
  virtual void open() {}
  virtual S* room(std::size_t route) = 0;
  /// `teams` share the work.
  virtual kernels::SendTraces<S> message(std::size_t route, const TraceList<S>& list, std::int64_t teams) {
    kernels::SendTraces<S> message{list.field,  list.element, list.face, list.on_face, list.dofs, list.face_dofs,
                                   list.blocks, room(route),  {}};
    message.flags.teams = teams;
    return message;
  }
  virtual void dispatch(RouteRange /*routes*/) {}
  /// `ghosts`: destinations of the traces, per route of the range.
  virtual void carry(RouteRange routes, const std::vector<S*>& ghosts) = 0;
  virtual void deliver(RouteRange routes, const std::vector<S*>& ghosts) = 0;
  /// Whether `carry` does anything: then steps cannot be recorded.
  [[nodiscard]] virtual bool needs_host() const = 0;
  /// Alternates if `room` differs from one exchange to the next: a recorded program continues from the same value.
  [[nodiscard]] virtual std::size_t turn() const { return 0; }
};

}  // namespace tetrawave::march
