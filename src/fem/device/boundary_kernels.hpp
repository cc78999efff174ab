// Kernels of what mode fe-iiee does between solutions and sums over pairs of points (theory/fe-iiee): vectors of
// boundary values, sources of the sums, and what the sums give. Kernels: fem/device/kernels.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fem/device/kernel_list.hpp"

namespace tetrawave::fem::device {

inline constexpr int vectors_at_once = 16;    ///< that a kernel names
inline constexpr int multiples_at_once = 40;  ///< of these in a sum
inline constexpr int sums_at_once = 12;       ///< that a thread keeps, of complex numbers

/// w_i, a weight for each `run` numbers; without weights 1.
struct RunWeights {
  const double* weights = nullptr;
  std::int32_t run = 1;

  TW_FN double at(std::int32_t i) const { return weights == nullptr ? 1.0 : weights[i / run]; }
};

/// (a_n, b_k) = sum w conj(a_n) b_k to to[n * stride + k], in tiles of four a and two b.
struct BlockProducts {
  static constexpr int rows = 4, columns = 2, most_rows = 64, most_columns = 32;
  static constexpr int width = 1, sums = 2 * rows * columns;
  static constexpr int most_tiles = most_rows / rows * (most_columns / columns);
  const ComplexNumber* a[most_rows] = {};
  const ComplexNumber* b[most_columns] = {};
  std::int32_t a_count = 0, b_count = 0;
  RunWeights weights;
  ComplexNumber* to = nullptr;
  std::int32_t stride = 0;

  [[nodiscard]] TW_FN std::int32_t tiles_in_row() const { return (b_count + columns - 1) / columns; }
  [[nodiscard]] std::int32_t tiles() const { return (a_count + rows - 1) / rows * tiles_in_row(); }

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t tile, std::int32_t i, double* partial) const {
    const std::int32_t first_a = tile / tiles_in_row() * rows, first_b = tile % tiles_in_row() * columns;
    const double weight = weights.at(i);
    ComplexNumber of_a[rows];
    for (int n = 0; n < rows; ++n) of_a[n] = first_a + n < a_count ? a[first_a + n][i] : ComplexNumber{};
    for (int k = 0; k < columns; ++k) {
      const ComplexNumber value = first_b + k < b_count ? times(weight, b[first_b + k][i]) : ComplexNumber{};
      for (int n = 0; n < rows; ++n) put_parts(times_conjugate(of_a[n], value), partial + 2 * (n * columns + k));
    }
  }
  TW_FN void finish(std::int32_t tile, const double* totals) const {
    const std::int32_t first_a = tile / tiles_in_row() * rows, first_b = tile % tiles_in_row() * columns;
    for (int n = 0; n < rows && first_a + n < a_count; ++n)
      for (int k = 0; k < columns && first_b + k < b_count; ++k)
        join(totals + 2 * (n * columns + k), to[(first_a + n) * stride + first_b + k]);
  }
};

/// (a_n, a_n) = sum w |a_n|^2
struct WeightedSquares {
  static constexpr int width = 1, sums = vectors_at_once;
  const ComplexNumber* a[vectors_at_once] = {};
  std::int32_t count = 0;
  RunWeights weights;
  double* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double* partial) const {
    const double weight = weights.at(i);
    for (int n = 0; n < vectors_at_once; ++n)
      if (n < count) partial[n] += weight * square(a[n][i]);
  }
  TW_FN void finish(const double* totals) const {
    for (int n = 0; n < count; ++n) to[n] = totals[n];
  }
};

/// y_k = scale y_k + factor sum_n parts[n * stride + k] x_n; a scale of 0 leaves out the y before.
struct AddMultiples {
  static constexpr int width = 1, sums = 0;
  const ComplexNumber* x[multiples_at_once] = {};
  ComplexNumber* y[sums_at_once] = {};
  std::int32_t x_count = 0, y_count = 0;
  const ComplexNumber* parts = nullptr;
  std::int32_t stride = 0;
  double factor = 1, scale = 1;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    ComplexNumber sum[sums_at_once] = {};
    for (int n = 0; n < x_count; ++n) {
      const ComplexNumber value = x[n][i];
      for (int k = 0; k < sums_at_once; ++k)
        if (k < y_count) add_product(sum[k], parts[n * stride + k], value);
    }
    for (int k = 0; k < sums_at_once; ++k) {
      if (k >= y_count) continue;
      const ComplexNumber added = times(factor, sum[k]);
      y[k][i] = scale == 0 ? added : plus(times(scale, y[k][i]), added);
    }
  }
};

/// y_n = alpha_n x_n + beta y_n, where a factor of 0 leaves out what it is of.
struct CombineVectors {
  static constexpr int width = 1, sums = 0;
  double alpha[vectors_at_once] = {};
  const ComplexNumber* x[vectors_at_once] = {};
  ComplexNumber* y[vectors_at_once] = {};
  double beta = 0;
  std::int32_t count = 0;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    for (int n = 0; n < count; ++n) {
      ComplexNumber sum;
      if (alpha[n] != 0) sum = times(alpha[n], x[n][i]);
      if (beta != 0) sum = plus(sum, times(beta, y[n][i]));
      y[n][i] = sum;
    }
  }
};

/// Rows of a square matrix that has all its entries.
struct DenseRows {
  static constexpr int width = 32;
  const double* values = nullptr;
  std::int32_t size = 0;
};

/// Entries [first, end) of a row.
struct RowEntries {
  std::int64_t first, end;
};
template <class N, int threads>
TW_FN RowEntries entries_of(const CsrRows<N, threads>& rows, std::int32_t i) {
  return {rows.begin[i] + rows.shift, rows.end[i]};
}
TW_FN RowEntries entries_of(const DenseRows& rows, std::int32_t i) {
  return {std::int64_t{i} * rows.size, (std::int64_t{i} + 1) * rows.size};
}
template <class N, int threads>
TW_FN std::int32_t column_of(const CsrRows<N, threads>& rows, const RowEntries& /*row*/, std::int64_t entry) {
  return rows.column[entry];
}
TW_FN std::int32_t column_of(const DenseRows& /*rows*/, const RowEntries& row, std::int64_t entry) {
  return static_cast<std::int32_t>(entry - row.first);
}

/// to[set][places[row]] += from[set][row], row i % rows of set i / rows
struct AddToRows {
  static constexpr int width = 1, sums = 0;
  const std::int32_t* places = nullptr;
  const ComplexNumber* from = nullptr;
  ComplexNumber* to = nullptr;
  std::int32_t rows = 1, rows_of_to = 0;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    ComplexNumber& own = to[std::int64_t{i / rows} * rows_of_to + places[i % rows]];
    own = plus(own, from[i]);
  }
};

/// The unit matrix, of zeros before.
struct PutOnes {
  static constexpr int width = 1, sums = 0;
  double* values = nullptr;
  std::int32_t size = 0;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    values[(std::int64_t{size} + 1) * i] = 1;
  }
};

/// y_k = scale base_k + weight A x_k, row i at `places[i]`, or at i; a scale of 0 leaves out the bases.
template <class Rows>
struct ColumnProducts {
  static constexpr int width = Rows::width, sums = 0;
  /// Vectors of a system, whose matrix is complex, come from the cache only while they are few.
  static constexpr int columns = std::is_same_v<decltype(Rows::values), const double*> ? sums_at_once : 8;
  Rows matrix;
  const std::int32_t* places = nullptr;
  const ComplexNumber* x[columns] = {};
  const ComplexNumber* base[columns] = {};
  ComplexNumber* y[columns] = {};
  std::int32_t count = 0;
  double scale = 0, weight = 1;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double*) const {
    ComplexNumber sum[columns] = {};
    const RowEntries row_entries = entries_of(matrix, i);
    for (std::int64_t at = row_entries.first + group.lane(); at < row_entries.end; at += Group::size) {
      const auto value = matrix.values[at];
      const std::int32_t column = column_of(matrix, row_entries, at);
      for (int k = 0; k < columns; ++k)
        if (k < count) add_product(sum[k], value, x[k][column]);
    }
    const std::int32_t row = places == nullptr ? i : places[i];
    for (int k = 0; k < columns; ++k) {
      if (k >= count) continue;
      const ComplexNumber product = times(weight, group.sum(sum[k]));
      if (group.lane() == 0) y[k][row] = scale == 0 ? product : plus(times(scale, base[k][row]), product);
    }
  }
};

/// Place and currents e J +- M of source i / sets, the latter of set i % sets, as the sums have them
/// (kernels::BoundaryRadiation), J and M three rows a source.
struct PutSources {
  using Rows = WholeRows<double>;
  static constexpr int width = Rows::width, sums = 0;
  Rows electric, magnetic;
  const ComplexNumber* current = nullptr;   ///< columns of `current_rows`
  const ComplexNumber* solution = nullptr;  ///< of `solution_rows`
  std::int32_t current_rows = 0, solution_rows = 0;
  const double* places = nullptr;  ///< [source][3]
  double factor = 1;               ///< e
  std::int32_t sets = 1;
  double* to = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t i, double*) const {
    const std::int32_t source = i / sets, set = i % sets;
    const auto* const of_current = reinterpret_cast<const double*>(current + std::int64_t{set} * current_rows);
    const auto* const of_solution = reinterpret_cast<const double*>(solution + std::int64_t{set} * solution_rows);
    double* const own = to + std::int64_t{source} * (3 + 12 * sets);
    for (int x = 0; x < 3; ++x) {
      double j[2], m[2];
      electric.template sum<2>(group, 3 * source + x, of_current, j);
      magnetic.template sum<2>(group, 3 * source + x, of_solution, m);
      if (group.lane() != 0) continue;
      if (set == 0) own[x] = places[3 * std::int64_t{source} + x];
      for (int part = 0; part < 2; ++part) {
        double* const at = own + 3 + 12 * set + 2 * x + part;
        at[0] = factor * j[part] + m[part];
        at[6] = factor * j[part] - m[part];
      }
    }
  }
};

/// Psi along e1 and e2 at point i / count of the sets from `first` on, set i % count: -j scale (S+ + S-), -scale (S+ -
/// S-).
struct TakeSums {
  static constexpr int width = 1, sums = 0;
  const double* from = nullptr;  ///< [point][set][4]
  std::int32_t sets = 1, first = 0, count = 1;
  double scale = 1;
  ComplexNumber* to[vectors_at_once] = {};  ///< [point][2]

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    const std::int32_t point = i / count, set = i % count;
    const double* const own = from + (std::int64_t{point} * sets + first + set) * 4;
    ComplexNumber* const at = to[set] + 2 * std::int64_t{point};
    at[0] = {scale * (own[1] + own[3]), -scale * (own[0] + own[2])};
    at[1] = {-scale * (own[0] - own[2]), -scale * (own[1] - own[3])};
  }
};

}  // namespace tetrawave::fem::device

#define TW_BOUNDARY_TILES(X) X(::tetrawave::fem::device::BlockProducts)
#define TW_BOUNDARY_KERNELS(X)                                                             \
  X(::tetrawave::fem::device::WeightedSquares)                                             \
  X(::tetrawave::fem::device::AddMultiples)                                                \
  X(::tetrawave::fem::device::CombineVectors)                                              \
  X(::tetrawave::fem::device::ColumnProducts<::tetrawave::fem::device::WholeRows<double>>) \
  X(::tetrawave::fem::device::ColumnProducts<                                              \
      ::tetrawave::fem::device::WholeRows<::tetrawave::fem::device::ComplexNumber>>)       \
  X(::tetrawave::fem::device::ColumnProducts<::tetrawave::fem::device::DenseRows>)         \
  X(::tetrawave::fem::device::AddToRows)                                                   \
  X(::tetrawave::fem::device::PutOnes)                                                     \
  X(::tetrawave::fem::device::PutSources)                                                  \
  X(::tetrawave::fem::device::TakeSums)
