// How traces of the fields travel from rank to rank: what the transports have in common.
//
// A route is what one rank sends to another and gets from it at once: traces of one field. Both ranks list their routes
// in the same order. An exchange is of a range of routes and has five parts, which the work on elements lies between:
//
//   prepare    queued before the traces are packed
//   room       where the kernel that packs shall store the traces of a route
//   dispatch   queued after it: the traces go
//   carry      what the host does for them, while the device advances inner elements
//   deliver    queued: the ghosts are there for what is queued afterwards
#pragma once

#include <cstddef>
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

template <class S>
class Carrier {
 public:
  Carrier() = default;
  virtual ~Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  /// Once, before the first exchange: a collective, also on ranks without routes.
  virtual void open() {}
  virtual void prepare(RouteRange /*routes*/) {}
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
