// Numbers of points as the CPU's lanes load them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace tetrawave::kernels {

/// Blocks of 64 bytes of points, array[(block * rows + row) * lanes + lane], zero at first.
template <class S>
class PointBlocks {
 public:
  static constexpr std::size_t lanes = 64 / sizeof(S);

  PointBlocks(std::size_t points, std::size_t rows) : rows_(rows), lines_((points + lanes - 1) / lanes * rows) {}

  [[nodiscard]] std::size_t blocks() const { return lines_.size() / rows_; }
  /// Value of a point, or of the padding of the last block.
  [[nodiscard]] S& at(std::size_t point, std::size_t row) {
    return lines_[point / lanes * rows_ + row].numbers[point % lanes];
  }
  /// Calls work(first, count) for contiguous ranges of the blocks, on as many threads as there are for them.
  template <class Work>
  void share(int threads, const Work& work) const {
    const std::size_t ranges = std::clamp<std::size_t>(blocks(), 1, static_cast<std::size_t>(std::max(1, threads)));
    for_ranges(blocks(), ranges, [&work](std::size_t, std::size_t first, std::size_t last) {
      work(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first));
    });
  }
  [[nodiscard]] S* data() { return lines_.empty() ? nullptr : lines_.front().numbers.data(); }

 private:
  struct alignas(64) Line {
    std::array<S, lanes> numbers{};
  };

  std::size_t rows_;
  std::vector<Line> lines_;
};

}  // namespace tetrawave::kernels
