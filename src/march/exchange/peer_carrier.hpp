// Traces by stores into the peer's memory: the host takes no part in an exchange, so that steps can be recorded.
//
// Every rank has one array mapped by its peers: for each route two slots for incoming traces, and two flags. Exchange
// number k = 1, 2, .. of a route is its part of two kernels on each side (kernels/exchange/peer_traces.hpp):
//
//   message    wait for the flag `taken` >= k - 2: the peer has emptied the slot that is to be filled now; pack into
//              slot k mod 2 of the peer; raise the peer's flag `arrived` to k
//   deliver    wait for the own flag `arrived` >= k, copy the slot to the ghosts, raise the peer's flag `taken` to k
//
// A rank is thus never more than two exchanges ahead, and neither side waits for the other's host. The value of k is on
// the device, so that recorded steps continue counting; the slot, k mod 2, is known when a step is queued (`turn`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernels/exchange/peer_traces.hpp"
#include "march/exchange/carrier.hpp"
#include "march/exchange/peer_array.hpp"

namespace tetrawave::march {

/// Bytes of the array for some routes, and of the tables that belong to it.
struct PeerSizes {
  static constexpr std::size_t line = 256;  ///< slots start at multiples of it
  static constexpr std::size_t flag_bytes = 64;
  static constexpr std::size_t tables = 4;  ///< flags on both sides, arrived and read; two counters of each kernel
  static std::size_t slot(std::size_t received_bytes) { return (received_bytes + line - 1) / line * line; }
  static std::size_t of_route(std::size_t received_bytes) { return 2 * slot(received_bytes) + 2 * flag_bytes; }
};

template <class Backend, class S>
class PeerCarrier final : public Carrier<S> {
 public:
  PeerCarrier(Backend& backend, const comm::Communicator& ranks, const std::vector<Route>& routes)
      : backend_(backend),
        ranks_(ranks.size()),
        routes_(routes),
        places_(lay_out(routes)),
        flags_(backend, PeerSizes::tables * routes.size()),
        counts_(backend, PeerSizes::tables * routes.size()),
        array_(backend, ranks, bytes_of(routes)) {}

  /// Sends every peer the addresses where its routes end here, and maps the peers' arrays.
  void open() override {
    there_.resize(routes_.size());
    array_.open(
        make_offers(),
        [this](int peer, char* memory, std::span<const std::int64_t> told) { map_routes(peer, memory, told); },
        [this] { upload_flags(); });  // all flags are 0
  }

  S* room(std::size_t route) override { return slot(there_[route], places_[route].turn); }
  kernels::SendTraces<S> message(std::size_t route, const TraceList<S>& list, std::int64_t teams) override {
    kernels::SendTraces<S> message = Carrier<S>::message(route, list, teams);
    message.flags = flags_of(route, taken_here, arrived_there, teams);
    return message;
  }
  void carry(RouteRange /*routes*/, const std::vector<S*>& /*ghosts*/) override {}

  void deliver(RouteRange routes, const std::vector<S*>& ghosts) override {
    MessageQueue<kernels::TakeTraces<S>> queue;
    for (std::size_t r = routes.first; r < routes.first + routes.count; ++r) {
      const auto count = static_cast<std::int64_t>(routes_[r].received);
      const std::int64_t teams = std::min(teams_for(count), most_waiting);
      queue.add({waiting(r), ghosts[r - routes.first], count, flags_of(r, arrived_here, taken_there, teams)});
    }
    for (const auto& messages : queue.launches()) backend_.for_teams(messages, messages.teams());
    for (std::size_t r = routes.first; r < routes.first + routes.count; ++r) places_[r].turn ^= 1;
  }

  /// Contents of the slot that the next exchange of a route fills.
  S* waiting(std::size_t route) { return slot(here(route), places_[route].turn); }

  [[nodiscard]] bool needs_host() const override { return false; }
  [[nodiscard]] std::size_t turn() const override { return places_.empty() ? 0 : places_.front().turn; }

 private:
  /// Teams that wait during the update of inner elements: few, as they occupy the device.
  static constexpr std::int64_t most_waiting = 32;
  enum Table { arrived_there = 0, arrived_here = 1, taken_there = 2, taken_here = 3 };

  /// Position of a route in the array of the rank where it ends.
  struct Place {
    std::size_t slots = 0;       ///< bytes from the array's start
    std::size_t slot_bytes = 0;  ///< of one of the two
    std::size_t flags = 0;       ///< `arrived`, then `taken`
    std::size_t turn = 0;        ///< which slot comes next
  };
  /// The same in an array mapped here.
  struct Target {
    char* memory = nullptr;
    Place place;
  };

  static std::size_t bytes_of(const std::vector<Route>& routes) {
    std::size_t bytes = 0;
    for (const Route& route : routes) bytes += PeerSizes::of_route(route.received * sizeof(S));
    return bytes;
  }

  static std::vector<Place> lay_out(const std::vector<Route>& routes) {
    std::vector<Place> places;
    std::size_t at = 0;
    for (const Route& route : routes) {
      const std::size_t slot_bytes = PeerSizes::slot(route.received * sizeof(S));
      places.push_back({at, slot_bytes, 0, 0});
      at += 2 * slot_bytes;
    }
    for (Place& place : places) {
      place.flags = at;
      at += 2 * PeerSizes::flag_bytes;
    }
    return places;
  }

  /// Per peer, of each route with it: three positions in the array and the expected numbers.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> make_offers() const {
    std::vector<std::vector<std::int64_t>> offers(static_cast<std::size_t>(ranks_));
    for (std::size_t r = 0; r < routes_.size(); ++r)
      for (const std::size_t number : {places_[r].slots, places_[r].slot_bytes, places_[r].flags, routes_[r].received})
        offers[static_cast<std::size_t>(routes_[r].rank)].push_back(static_cast<std::int64_t>(number));
    return offers;
  }

  void map_routes(int peer, char* memory, std::span<const std::int64_t> told) {
    std::size_t at = 0;
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      if (routes_[r].rank != peer) continue;
      ensure(at + 4 <= told.size(), "two ranks have the same routes between them");
      ensure(told[at + 3] == static_cast<std::int64_t>(routes_[r].sent), "what a rank sends is what its peer expects");
      there_[r] = {memory,
                   {static_cast<std::size_t>(told[at]), static_cast<std::size_t>(told[at + 1]),
                    static_cast<std::size_t>(told[at + 2]), 0}};
      at += 4;
    }
    ensure(at == told.size(), "two ranks have the same routes between them");
  }

  static std::uint64_t* flag(const Target& target, std::size_t which) {
    return reinterpret_cast<std::uint64_t*>(target.memory + target.place.flags + which * PeerSizes::flag_bytes);
  }

  void upload_flags() {
    std::vector<std::uint64_t*> all(PeerSizes::tables * routes_.size());
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      all[arrived_there * routes_.size() + r] = flag(there_[r], 0);
      all[arrived_here * routes_.size() + r] = flag(here(r), 0);
      all[taken_there * routes_.size() + r] = flag(there_[r], 1);
      all[taken_here * routes_.size() + r] = flag(here(r), 1);
    }
    flags_.upload(all);
  }

  [[nodiscard]] Target here(std::size_t route) { return {array_.data(), places_[route]}; }
  /// Both sides count turns in the same way: an exchange of a route is one in both directions.
  static S* slot(const Target& target, std::size_t turn) {
    return reinterpret_cast<S*>(target.memory + target.place.slots + turn * target.place.slot_bytes);
  }

  kernels::TeamFlags flags_of(std::size_t route, Table awaited, Table raised, std::int64_t teams) {
    const auto place = [&](Table table) { return table * routes_.size() + route; };
    return {flags_.data() + place(awaited), flags_.data() + place(raised), counts_.data() + place(awaited),
            counts_.data() + place(raised), teams};
  }

  Backend& backend_;
  int ranks_;
  std::vector<Route> routes_;
  std::vector<Place> places_;
  std::vector<Target> there_;
  typename Backend::template Buffer<std::uint64_t*> flags_;
  typename Backend::template Buffer<std::uint64_t> counts_;  ///< of times and of teams, by route
  PeerArray<Backend> array_;                                 ///< goes first, while the rest is there
};

}  // namespace tetrawave::march
