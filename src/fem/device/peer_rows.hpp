// Vectors of own rows whose ghosts are stored by the ranks that have them, straight into their places: this rank's
// device has its peers' memory mapped. A vector's ghosts are free again when sums of all ranks have been exchanged:
// each rank adds its own after the kernels that read them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fem/device/rank_kernels.hpp"
#include "march/exchange/carrier.hpp"
#include "march/exchange/peer_array.hpp"

namespace tetrawave::fem::device {

template <class Backend, class N>
class PeerRows {
 public:
  /// `vectors` of `rows` and, behind them, ghosts in the order of the routes, which are in rows.
  PeerRows(Backend& backend, const comm::Communicator& ranks, const std::vector<march::Route>& routes,
           std::size_t vectors, std::size_t rows)
      : rank_(static_cast<std::size_t>(ranks.rank())),
        ranks_(static_cast<std::size_t>(ranks.size())),
        routes_(routes),
        vectors_(vectors),
        places_(rows),
        messages_(backend, vectors * routes.size()),
        rooms_(backend, ranks_),
        flags_(backend, 2 * (routes.size() + ranks_)),
        counts_(backend, std::size_t{3}),
        waited_(backend, std::size_t{2}),
        array_(backend, ranks, [&] {
          for (const march::Route& route : routes) {
            arrivals_.push_back(places_);
            places_ += route.received;
          }
          return bytes_of_vectors() + bytes_of_rooms() + 2 * ranks_ * line;
        }()) {}

  /// Collective, before all others.
  void open() {
    std::vector<std::vector<std::int64_t>> told(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p)
      if (p != rank_) told[p] = {static_cast<std::int64_t>(places_), -1, 0};
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      auto& numbers = told[static_cast<std::size_t>(routes_[r].rank)];
      numbers[1] = static_cast<std::int64_t>(arrivals_[r]);
      numbers[2] = static_cast<std::int64_t>(routes_[r].received);
    }
    std::vector<N*> messages(vectors_ * routes_.size());
    std::vector<double*> rooms(ranks_, room(array_.data(), places_));
    std::vector<std::uint64_t*> flags(2 * (routes_.size() + ranks_), flag(array_.data(), places_, rank_));
    for (std::size_t p = 0; p < ranks_; ++p) flags[2 * routes_.size() + p] = flag(array_.data(), places_, ranks_ + p);
    const auto map = [&](int peer, char* memory, std::span<const std::int64_t> numbers) {
      ensure(numbers.size() == 3, "a rank tells where its ghosts are");
      const auto p = static_cast<std::size_t>(peer), places = static_cast<std::size_t>(numbers[0]);
      rooms[p] = room(memory, places);
      flags[2 * routes_.size() + ranks_ + p] = flag(memory, places, ranks_ + rank_);
      for (std::size_t r = 0; r < routes_.size(); ++r) {
        if (routes_[r].rank != peer) continue;
        ensure(numbers[1] >= 0 && numbers[2] == static_cast<std::int64_t>(routes_[r].sent),
               "what a rank sends is what its peer expects");
        for (std::size_t v = 0; v < vectors_; ++v)
          messages[v * routes_.size() + r] =
              reinterpret_cast<N*>(memory) + v * places + static_cast<std::size_t>(numbers[1]);
        flags[r] = flag(array_.data(), places_, p);
        flags[routes_.size() + r] = flag(memory, places, rank_);
      }
    };
    array_.open(told, map, [&] {
      messages_.upload(messages);
      rooms_.upload(rooms);
      flags_.upload(flags);
    });
  }

  [[nodiscard]] N* vector(std::size_t v) const { return reinterpret_cast<N*>(array_.data()) + v * places_; }
  /// Where the ghosts of a vector go, per route.
  [[nodiscard]] N* const* messages(std::size_t v) const { return messages_.data() + v * routes_.size(); }
  /// Of an exchange whose waiting counts, or not.
  [[nodiscard]] BorderFlags flags(bool receives, bool sends, bool counts) const {
    const auto peers = static_cast<std::int32_t>(routes_.size());
    return {peers,
            flags_.data(),
            flags_.data() + peers,
            counts_.data(),
            counts_.data() + 1,
            counts ? waited_.data() : nullptr,
            receives,
            sends};
  }
  [[nodiscard]] SumMail mail(bool counts) const {
    std::uint64_t* const* of_sums = flags_.data() + 2 * routes_.size();
    return {static_cast<std::int32_t>(rank_),
            static_cast<std::int32_t>(ranks_),
            rooms_.data(),
            of_sums,
            of_sums + ranks_,
            counts_.data() + 2,
            counts ? waited_.data() + 1 : nullptr};
  }
  /// Seconds that borders have waited for ghosts, and sums for other ranks.
  [[nodiscard]] std::vector<double> waited() const {
    std::vector<double> seconds;
    for (const std::int64_t nanoseconds : waited_.download())
      seconds.push_back(1e-9 * static_cast<double>(nanoseconds));
    return seconds;
  }

 private:
  static constexpr std::size_t line = 64;  ///< bytes between flags

  // An array: vectors, rooms for sums, flags of ghosts and of sums per rank.
  [[nodiscard]] std::size_t end_of_vectors(std::size_t places) const {
    return (vectors_ * places * sizeof(N) + line - 1) / line * line;
  }
  [[nodiscard]] std::size_t bytes_of_vectors() const { return end_of_vectors(places_); }
  [[nodiscard]] std::size_t bytes_of_rooms() const {
    return (2 * ranks_ * most_sums * sizeof(double) + line - 1) / line * line;
  }
  [[nodiscard]] double* room(char* array, std::size_t places) const {
    return reinterpret_cast<double*>(array + end_of_vectors(places));
  }
  [[nodiscard]] std::uint64_t* flag(char* array, std::size_t places, std::size_t number) const {
    return reinterpret_cast<std::uint64_t*>(array + end_of_vectors(places) + bytes_of_rooms() + number * line);
  }

  std::size_t rank_, ranks_;
  std::vector<march::Route> routes_;
  std::size_t vectors_, places_;
  std::vector<std::size_t> arrivals_;
  typename Backend::template Buffer<N*> messages_;           ///< [vector][route]
  typename Backend::template Buffer<double*> rooms_;         ///< per rank
  typename Backend::template Buffer<std::uint64_t*> flags_;  ///< awaited, raised: of ghosts per route, sums per rank
  typename Backend::template Buffer<std::uint64_t> counts_;  ///< exchanges, teams, sums
  typename Backend::template Buffer<std::int64_t> waited_;   ///< [ns] for ghosts, for sums
  march::PeerArray<Backend> array_;                          ///< goes first, while the rest is there
};

}  // namespace tetrawave::fem::device
