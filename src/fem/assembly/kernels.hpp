// Kernels of the assembly of edge elements (fem/device/kernels.hpp has what a kernel is): the pattern, by counting
// contributions per row, and the matrix in three ways of sharing out the work (numbers of Meng's dissertation, chapter
// 3): by element with atomic additions; by row, from element matrices or from elements.
//
// A group provides, besides what rows need: sync() of its members and their memory, and, each atomic, add(double*,
// double) and count_up(int32*) -> the old value.
#pragma once

#include <cstdint>

#include "fem/assembly/element_view.hpp"

namespace tetrawave::fem::device {

/// An element's function, as a contribution to a row of the global matrix.
struct Contribution {
  std::int32_t element, function;
};
TW_FN bool is_before(const Contribution& a, const Contribution& b) {
  return a.element != b.element ? a.element < b.element : a.function < b.function;
}

/// Contributions of each row.
struct CountContributions {
  static constexpr int width = 1, sums = 0;
  std::int32_t functions = 0;
  const std::int32_t* unknown = nullptr;
  std::int32_t* counts = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t e, double*) const {
    for (std::int32_t i = 0; i < functions; ++i)
      if (const std::int32_t u = unknown[static_cast<std::int64_t>(e) * functions + i]; u != fixed_unknown)
        (void)group.count_up(counts + u);
  }
};

/// Puts contributions into their rows in the order in which threads arrive. `counts` is 0 before.
struct PlaceContributions {
  static constexpr int width = 1, sums = 0;
  std::int32_t functions = 0;
  const std::int32_t* unknown = nullptr;
  const std::int64_t* first = nullptr;  ///< per row
  std::int32_t* counts = nullptr;
  Contribution* contributions = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t e, double*) const {
    for (std::int32_t i = 0; i < functions; ++i)
      if (const std::int32_t u = unknown[static_cast<std::int64_t>(e) * functions + i]; u != fixed_unknown)
        contributions[first[u] + group.count_up(counts + u)] = {e, i};
  }
};

/// The first of `count` ascending columns that is not below `column`.
TW_FN std::int32_t place_of(std::int32_t column, const std::int32_t* columns, std::int32_t count) {
  std::int32_t low = 0;
  while (count > 0) {
    const std::int32_t half = count / 2;
    if (columns[low + half] < column) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

/// Sorts the contributions of a row by elements and lists its columns, ascending, where it has room for all that its
/// elements name. Lists are short, and nearly in order, as unknowns are numbered in the order of elements: insertion.
struct ListColumns {
  static constexpr int width = 1, sums = 0;
  std::int32_t functions = 0;
  const std::int32_t* unknown = nullptr;
  const std::int64_t* first = nullptr;  ///< per row
  Contribution* contributions = nullptr;
  std::int32_t* room = nullptr;    ///< [contribution][function]
  std::int32_t* counts = nullptr;  ///< columns per row

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t row, double*) const {
    Contribution* const own = contributions + first[row];
    const auto count = static_cast<std::int32_t>(first[row + 1] - first[row]);
    for (std::int32_t k = 1; k < count; ++k) {
      const Contribution moved = own[k];
      std::int32_t at = k;
      for (; at > 0 && is_before(moved, own[at - 1]); --at) own[at] = own[at - 1];
      own[at] = moved;
    }
    std::int32_t* const columns = room + first[row] * functions;
    std::int32_t size = 0;
    for (std::int32_t k = 0; k < count; ++k)
      for (std::int32_t i = 0; i < functions; ++i) {
        const std::int32_t column = unknown[static_cast<std::int64_t>(own[k].element) * functions + i];
        if (column == fixed_unknown) continue;
        const std::int32_t at = size > 0 && columns[size - 1] < column ? size : place_of(column, columns, size);
        if (at < size && columns[at] == column) continue;
        for (std::int32_t m = size; m > at; --m) columns[m] = columns[m - 1];
        columns[at] = column;
        ++size;
      }
    counts[row] = size;
  }
};

struct CopyColumns {
  static constexpr int width = 8, sums = 0;
  std::int32_t functions = 0;
  const std::int64_t* first_contribution = nullptr;
  const std::int32_t* room = nullptr;
  const std::int64_t* first = nullptr;
  std::int32_t* column = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t row, double*) const {
    const std::int32_t* const from = room + first_contribution[row] * functions;
    const std::int64_t begin = first[row], count = first[row + 1] - begin;
    for (std::int64_t k = group.lane(); k < count; k += Group::size) column[begin + k] = from[k];
  }
};

/// Unknowns at the centroid of the edge, face or element that their function belongs to.
struct PlaceUnknowns {
  static constexpr int width = 1, sums = 0;
  const double* corners = nullptr;
  const std::int64_t* first_contribution = nullptr;
  const Contribution* contributions = nullptr;
  const std::int32_t* vertices = nullptr;  ///< of a function, a bit for each
  double* positions = nullptr;             ///< [row][3] [m]

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t row, double*) const {
    const Contribution from = contributions[first_contribution[row]];
    const double* corner = corners + static_cast<std::int64_t>(from.element) * 12;
    double sum[3] = {};
    int count = 0;
    for (int v = 0; v < 4; ++v) {
      if ((vertices[from.function] >> v & 1) == 0) continue;
      ++count;
      for (int x = 0; x < 3; ++x) sum[x] += corner[3 * v + x];
    }
    for (int x = 0; x < 3; ++x) positions[static_cast<std::int64_t>(row) * 3 + x] = sum[x] * (1.0 / count);
  }
};

/// Metric numbers of curved elements at the points of the rule.
template <class N>
struct CurvedMetrics {
  static constexpr int width = 1, sums = 0;
  ElementView<N> elements;

  template <class Group>
  TW_FN void operator()(const Group&, std::int32_t i, double*) const {
    const CurvedElements<N>& curved = elements.curved;
    const std::int32_t e = curved.element[i];
    const double* bulge = curved.bulges + static_cast<std::int64_t>(i) * 18;
    for (std::int32_t q = 0; q < curved.points; ++q) {
      double t[3][3];
      elements.tangents(e, t);
      for (int a = 0; a < 3; ++a)
        for (int edge = 0; edge < 6; ++edge)
          for (int x = 0; x < 3; ++x) t[a][x] += curved.slopes[(q * 3 + a) * 6 + edge] * bulge[3 * edge + x];
      find_metric(t, curved.weights[q], elements.coefficients + static_cast<std::int64_t>(elements.kind[e]) * 6,
                  curved.metrics[static_cast<std::int64_t>(i) * curved.points + q]);
    }
  }
};

/// The global matrix whose values are set.
template <class N>
struct MatrixView {
  const std::int64_t* first = nullptr;
  const std::int32_t* column = nullptr;
  N* values = nullptr;

  /// Of an entry that the pattern has.
  [[nodiscard]] TW_FN N* at(std::int32_t row, std::int32_t of_column) const {
    const std::int64_t begin = first[row];
    return values + begin + place_of(of_column, column + begin, static_cast<std::int32_t>(first[row + 1] - begin));
  }
};

template <class Group>
TW_FN void add_atomically(const Group& group, double* to, double value) {
  group.add(to, value);
}
template <class Group>
TW_FN void add_atomically(const Group& group, ComplexNumber* to, ComplexNumber value) {
  group.add(&to->re, value.re);
  group.add(&to->im, value.im);
}

/// Adds element by element to values that are 0 before.
template <class N, int threads>
struct AddElements {
  static constexpr int width = threads, sums = 0;
  ElementView<N> elements;
  MatrixView<N> matrix;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t e, double*) const {
    const std::int32_t* unknown = elements.unknown + static_cast<std::int64_t>(e) * elements.functions;
    Metric<N> metric{};
    elements.set(e, metric);
    for (std::int32_t i = 0; i < elements.functions; ++i) {
      const std::int32_t row = unknown[i];
      if (row == fixed_unknown) continue;
      elements.row(group, metric, e, i, 0, [&](std::int32_t j, N entry) {
        if (unknown[j] != fixed_unknown) add_atomically(group, matrix.at(row, unknown[j]), entry);
      });
    }
  }
};

/// Upper triangles of element matrices, row by row.
template <class N>
struct StoredMatrices {
  const std::int32_t* number = nullptr;   ///< per element: of its matrix; null: its own number
  const std::int32_t* element = nullptr;  ///< per matrix; null: its own number
  N* entries = nullptr;                   ///< [matrix][n (n + 1)/2]; null: none are stored

  TW_FN static std::int64_t packed(std::int32_t i, std::int32_t j, std::int32_t n) {
    return i <= j ? i * n - i * (i + 1) / 2 + j : j * n - j * (j + 1) / 2 + i;
  }
  TW_FN N* of(std::int32_t matrix, std::int32_t n) const {
    return entries + static_cast<std::int64_t>(matrix) * (n * (n + 1) / 2);
  }
  /// Of an element; -1: none, also where the matrix is that of a copy in shape alone.
  TW_FN std::int32_t matrix_of(std::int32_t e, const std::int32_t* kind) const {
    if (entries == nullptr) return -1;
    if (number == nullptr) return e;
    return kind[element[number[e]]] == kind[e] ? number[e] : -1;
  }
};

template <class N, int threads>
struct FindMatrices {
  static constexpr int width = threads, sums = 0;
  ElementView<N> elements;
  StoredMatrices<N> stored;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t m, double*) const {
    const std::int32_t e = stored.element == nullptr ? m : stored.element[m], n = elements.functions;
    N* const to = stored.of(m, n);
    Metric<N> metric{};
    elements.set(e, metric);
    for (std::int32_t i = 0; i < n; ++i)
      elements.row(group, metric, e, i, i,
                   [&](std::int32_t j, N entry) { to[StoredMatrices<N>::packed(i, j, n)] = entry; });
  }
};

/// Sets a row to the sum of its contributions, always in their order.
template <class N, int threads>
struct AssembleRows {
  static constexpr int width = threads, sums = 0;
  ElementView<N> elements;
  StoredMatrices<N> stored;
  MatrixView<N> matrix;
  const std::int64_t* first_contribution = nullptr;
  const Contribution* contributions = nullptr;

  template <class Group>
  TW_FN void operator()(const Group& group, std::int32_t row, double*) const {
    const std::int32_t n = elements.functions;
    for (std::int64_t k = matrix.first[row] + group.lane(); k < matrix.first[row + 1]; k += Group::size)
      matrix.values[k] = N{};
    group.sync();
    for (std::int64_t k = first_contribution[row]; k < first_contribution[row + 1]; ++k) {
      const Contribution from = contributions[k];
      const std::int32_t* unknown = elements.unknown + static_cast<std::int64_t>(from.element) * n;
      const auto put = [&](std::int32_t j, N entry) {
        if (unknown[j] == fixed_unknown) return;
        N* const to = matrix.at(row, unknown[j]);
        *to = plus(*to, entry);
      };
      if (const std::int32_t own = stored.matrix_of(from.element, elements.kind); own >= 0) {
        const N* entries = stored.of(own, n);
        for (std::int32_t j = group.lane(); j < n; j += Group::size)
          put(j, entries[StoredMatrices<N>::packed(from.function, j, n)]);
      } else {
        Metric<N> metric{};
        elements.set(from.element, metric);
        elements.row(group, metric, from.element, from.function, 0, put);
      }
      group.sync();
    }
  }
};

inline constexpr int few_functions = 12;  ///< up to which a group of 8 threads has an element
inline constexpr int narrow = 8, wide = 32;

}  // namespace tetrawave::fem::device

#define TW_PATTERN_KERNELS(X)                     \
  X(::tetrawave::fem::device::CountContributions) \
  X(::tetrawave::fem::device::PlaceContributions) \
  X(::tetrawave::fem::device::ListColumns)        \
  X(::tetrawave::fem::device::CopyColumns)        \
  X(::tetrawave::fem::device::PlaceUnknowns)
#define TW_ASSEMBLY_KERNELS_OF(X, N, threads)           \
  X(::tetrawave::fem::device::AddElements<N, threads>)  \
  X(::tetrawave::fem::device::FindMatrices<N, threads>) \
  X(::tetrawave::fem::device::AssembleRows<N, threads>)
/// X(kernel type) for every kernel of numbers N; X is variadic: the types hold commas.
#define TW_ASSEMBLY_KERNELS(X, N)                                \
  X(::tetrawave::fem::device::CurvedMetrics<N>)                  \
  TW_ASSEMBLY_KERNELS_OF(X, N, ::tetrawave::fem::device::narrow) \
  TW_ASSEMBLY_KERNELS_OF(X, N, ::tetrawave::fem::device::wide)
