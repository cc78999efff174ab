// How traces of the fields travel from rank to rank: what the transports have in common.
//
// A route is what one rank sends to another and gets from it at once: traces of one field. Both ranks list their routes
// in the same order. An exchange is of a range of routes and has four parts, which the work on elements lies between:
//
//   room       where the kernel that packs shall store the traces of a route
//   dispatch   queued after it: the traces go
//   send       all three at once, where a transport packs by itself
//   carry      what the host does for them, while the device advances inner elements
//   deliver    queued: the ghosts are there for what is queued afterwards
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace tetrawave::march {

/// Numbers that go to a rank and come from it.
struct Route {
  int rank = 0;
  std::size_t sent = 0;
  std::size_t received = 0;
};

struct RouteRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Traces of a field as a route takes them: see kernels/halo.hpp and, for `on_face`, kernels/peer_traces.hpp.
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

template <class S>
class Carrier {
 public:
  Carrier() = default;
  virtual ~Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Once, before the first exchange: a collective, also on ranks without routes.
  virtual void open() {}
  /// `lists`: per route of the range. False where the traces are to be packed and dispatched.
  virtual bool send(RouteRange /*routes*/, const std::vector<TraceList<S>>& /*lists*/) { return false; }
  virtual S* room(std::size_t route) = 0;
  virtual void dispatch(RouteRange routes) = 0;
  /// `ghosts`: per route of the range where the traces shall come to lie.
  virtual void carry(RouteRange routes, const std::vector<S*>& ghosts) = 0;
  virtual void deliver(RouteRange routes, const std::vector<S*>& ghosts) = 0;
  /// Whether `carry` does anything: then steps cannot be recorded.
  [[nodiscard]] virtual bool needs_host() const = 0;
  /// Alternates where `room` differs from one exchange to the next: a recorded program goes on from the same value.
  [[nodiscard]] virtual std::size_t turn() const { return 0; }
};

}  // namespace tetrawave::march
