// Copies between the host and a device by way of page-locked memory, piece by piece: several times as fast as others
// where they are large, as several threads fill and empty it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/copy_on_threads.hpp"

namespace tetrawave::fem::device {

/// Copies are done when a call returns.
template <class Backend>
class StagedCopies {
 public:
  explicit StagedCopies(Backend& backend) : backend_(backend) {}

  template <class V>
  void put(const V* from, std::size_t count, V* to) {
    for_pieces<V>(count, [&](std::size_t first, std::size_t size, V* stage) {
      copy_on_threads(from + first, size, stage, backend_.threads());
      backend_.move(to + first, static_cast<const V*>(stage), size);
      backend_.synchronize();
    });
  }
  template <class V>
  void get(const V* from, std::size_t count, V* to) {
    for_pieces<V>(count, [&](std::size_t first, std::size_t size, V* stage) {
      backend_.move(stage, from + first, size);
      backend_.synchronize();
      copy_on_threads(static_cast<const V*>(stage), size, to + first, backend_.threads());
    });
  }

 private:
  template <class V, class Use>
  void for_pieces(std::size_t count, const Use& use) {
    constexpr std::size_t most = std::size_t{1} << 26;
    const std::size_t piece = std::min(count, most / sizeof(V));
    if (stage_ && stage_->size() < piece * sizeof(V)) stage_.reset();
    if (!stage_) stage_.emplace(backend_, piece * sizeof(V));
    for (std::size_t first = 0; first < count; first += piece)
      use(first, std::min(piece, count - first), reinterpret_cast<V*>(stage_->data()));
  }

  Backend& backend_;
  std::optional<typename Backend::template Staging<char>> stage_;
};

}  // namespace tetrawave::fem::device
