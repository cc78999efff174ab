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

/// Rows of a CSR matrix to SlicedRows, sorted row by sorted row, with zeros behind the entries.
template <class N>
struct FillSlices {
  static constexpr int width = 1, sums = 0;
  CsrRows<N, 1> from;
  SlicedRows<N> slices;
  N* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    constexpr std::int32_t step = SlicedRows<N>::rows_of_slice;
    const std::int32_t row = slices.rows[i], slice = i / step;
    std::int64_t source = from.begin[row] + from.shift;
    for (std::int64_t k = slices.first[slice] + i % step; k < slices.first[slice + 1]; k += step, ++source)
      to[k] = source < from.end[row] ? from.values[source] : N{};
  }
};

/// Inverses of the diagonal; how many of its numbers are zero, and how many of the inverses are not one.
template <class N>
struct InvertDiagonal {
  static constexpr int width = 1, sums = 2;
  const std::int64_t* diagonal = nullptr;  ///< places
  const N* values = nullptr;
  N* inverse = nullptr;
  double* counts = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    const N d = values[diagonal[i]];
    inverse[i] = over(N{1}, d);
    if (is_zero(d)) partial[0] += 1;
    if (!is_zero(minus(inverse[i], N{1}))) partial[1] += 1;
  }
  TW_FN void finish(const double* totals) const {
    counts[0] = totals[0];
    counts[1] = totals[1];
  }
};

/// S = D^-1/2 of the diagonal D, 1 for 0 (fem/sparse/diagonal_scaling.hpp), S^-1, and 1 / |S|^2.
template <class N>
struct FindScaling {
  static constexpr int width = 1, sums = 0;
  const std::int64_t* diagonal = nullptr;
  const N* values = nullptr;
  N *factor = nullptr, *inverse = nullptr;
  double* weights = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    const N d = values[diagonal[i]];
    factor[i] = is_zero(d) ? N{1} : over(N{1}, root_of(d));
    inverse[i] = over(N{1}, factor[i]);
    weights[i] = 1 / square(factor[i]);
  }
};

/// S A S, row by row; its diagonal is what it is without rounding.
template <class N>
struct ScaleEntries {
  static constexpr int width = 4, sums = 0;
  CsrRows<N, 4> from;
  const std::int64_t* diagonal = nullptr;
  const N* factor = nullptr;
  N* to = nullptr;  ///< may be where they are

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double*) const {
    for (std::int64_t k = from.begin[i] + group.lane(); k < from.end[i]; k += Group::size) {
      const N value = from.values[k];
      // The factors' product first: it is the same for a_ij and a_ji.
      const N scaled = times(times(factor[i], factor[from.column[k]]), value);
      to[k] = k == diagonal[i] && !is_zero(value) ? unit_of(value) : scaled;
    }
  }
};

}  // namespace tetrawave::fem::device
