// A DeviceBuffer of ranks on one host.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "comm/device_buffer.hpp"
#include "march/exchange/peer_array.hpp"

namespace tetrawave::march {

template <class Backend>
class PeerBuffer final : public comm::DeviceBuffer {
 public:
  /// Of zeros. Collective. Throws, the same on all ranks, where they do not reach it (UserError, InternalError).
  PeerBuffer(Backend& backend, const comm::Communicator& ranks, std::size_t numbers)
      : size_(std::max(numbers, static_cast<std::size_t>(ranks.size()))) {
    if (ranks.max(static_cast<std::int64_t>(ranks.size() - ranks.node_size())) > 0)
      fail(ExitCode::unavailable, "memory of a device is reached by ranks of its host alone, and these are on several");
    const bool leads = ranks.rank() == 0;
    ranks.agree([&] { array_.emplace(backend, ranks, leads ? size_ * sizeof(double) : 0); });
    std::vector<std::vector<std::int64_t>> told(static_cast<std::size_t>(ranks.size()));
    for (std::size_t p = 1; leads && p < told.size(); ++p) told[p] = {static_cast<std::int64_t>(size_)};
    char* place = array_->data();
    array_->open(
        told, [&](int, char* first, std::span<const std::int64_t>) { place = first; }, [] {});
    data_ = reinterpret_cast<double*>(place);
    check(backend, ranks);
  }
  [[nodiscard]] double* data() const override { return data_; }
  [[nodiscard]] std::size_t size() const override { return size_; }

 private:
  /// Every rank stores a number, and finds those of all.
  void check(Backend& backend, const comm::Communicator& ranks) const {
    const auto count = static_cast<std::size_t>(ranks.size()), rank = static_cast<std::size_t>(ranks.rank());
    std::optional<typename Backend::template Buffer<double>> numbers;
    ranks.agree([&] {
      numbers.emplace(backend, count);
      numbers->upload(std::vector<double>(count, ranks.rank() + 1.0));
      backend.move(data_ + rank, static_cast<const double*>(numbers->data()), 1);
      backend.synchronize();
    });
    ranks.agree([&] {
      backend.move(numbers->data(), static_cast<const double*>(data_), count);
      backend.synchronize();
      const std::vector<double> found = numbers->download();
      for (std::size_t r = 0; r < count; ++r)
        if (found[r] != static_cast<double>(r) + 1)
          fail(ExitCode::unavailable, "stores of rank {} do not arrive in the memory of the first rank's device", r);
    });
  }

  std::size_t size_;
  double* data_ = nullptr;
  std::optional<PeerArray<Backend>> array_;
};

}  // namespace tetrawave::march
