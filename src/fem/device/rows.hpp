// Sparse rows on a device, whose products with vectors of R right-hand sides, [row][R], are summed by groups of
// threads:
//   group.lane(), Group::size     its members; of one on a CPU
//   group.sum(number)             the sum over the members, in all of them
#pragma once

#include <cstdint>

#include "fem/device/number.hpp"

namespace tetrawave::fem::device {

/// Rows of a CSR matrix, or parts of them: entries [begin[i] + shift, end[i]). `width`: threads of a GPU per row.
template <class N, int threads>
struct CsrRows {
  static constexpr int width = threads;
  const std::int64_t* begin = nullptr;
  const std::int64_t* end = nullptr;
  const std::int32_t* column = nullptr;
  const N* values = nullptr;
  std::int32_t shift = 0;

  TW_FN std::int32_t row(std::int32_t i) const { return i; }

  template <int R, class Group>
  TW_FN void sum(const Group& group, std::int32_t i, const N* x, N* sums) const {
    N own[R] = {};
    const std::int64_t last = end[i];
    for (std::int64_t k = begin[i] + shift + group.lane(); k < last; k += Group::size) {
      const N value = values[k];
      const N* from = x + static_cast<std::int64_t>(column[k]) * R;
      for (int r = 0; r < R; ++r) add_product(own[r], value, from[r]);
    }
    for (int r = 0; r < R; ++r) sums[r] = group.sum(own[r]);
  }
};

/// Rows by jagged diagonals in slices: within windows rows are sorted by descending length; a slice of 32 of them has
/// the length of its first one, filled up with zeros, and is stored diagonal by diagonal. A GPU's warp reads a diagonal
/// at once.
template <class N>
struct SlicedRows {
  static constexpr int width = 1;
  static constexpr std::int32_t rows_of_slice = 32;
  const std::int32_t* rows = nullptr;    ///< of the matrix, per sorted row
  const std::int64_t* first = nullptr;   ///< entry of each slice, and the end of the last
  const std::int32_t* column = nullptr;  ///< per entry
  const N* values = nullptr;

  TW_FN std::int32_t row(std::int32_t i) const { return rows[i]; }

  template <int R, class Group>
  TW_FN void sum(const Group& /*group*/, std::int32_t i, const N* x, N* sums) const {
    for (int r = 0; r < R; ++r) sums[r] = N{};
    const std::int32_t slice = i / rows_of_slice;
    const std::int64_t last = first[slice + 1];
    for (std::int64_t k = first[slice] + i % rows_of_slice; k < last; k += rows_of_slice) {
      const N value = values[k];
      const N* from = x + static_cast<std::int64_t>(column[k]) * R;
      for (int r = 0; r < R; ++r) add_product(sums[r], value, from[r]);
    }
  }
};

}  // namespace tetrawave::fem::device
