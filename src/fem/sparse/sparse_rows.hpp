// Some rows of a sparse matrix, complex or real: from terms of entries, and for products with vectors of unknowns.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/unset_vector.hpp"

namespace tetrawave::fem {

/// A part of an entry.
template <class T>
struct MatrixTerm {
  std::int32_t row = 0, column = 0;
  T value{};
};

template <class T>
struct SparseRowsOf {
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last
  UnsetVector<std::int32_t> column;
  UnsetVector<T> value;

  [[nodiscard]] std::size_t rows() const { return first.size() - 1; }
  void add_entry(std::int32_t in_column, const T& entry) {
    column.push_back(in_column);
    value.push_back(entry);
  }
  /// What was added since the last one.
  void end_row() { first.push_back(static_cast<std::int64_t>(column.size())); }

  /// y += factor A x
  void add_product(double factor, const std::vector<std::complex<double>>& x, std::vector<std::complex<double>>& y,
                   int threads) const {
    for_each_index(rows(), threads, [&](std::size_t row) {
      std::complex<double> sum = 0;
      for (auto k = static_cast<std::size_t>(first[row]); k < static_cast<std::size_t>(first[row + 1]); ++k)
        sum += value[k] * x[static_cast<std::size_t>(column[k])];
      y[row] += factor * sum;
    });
  }
};
using SparseRows = SparseRowsOf<std::complex<double>>;

/// Of so many rows; terms of an entry are added in their order, columns ascend.
template <class T>
[[nodiscard]] SparseRowsOf<T> add_up(const std::vector<MatrixTerm<T>>& terms, std::size_t rows, int threads) {
  using Entry = std::pair<std::int32_t, T>;
  const auto row_of = [](const MatrixTerm<T>& one) { return static_cast<std::size_t>(one.row); };
  std::vector<std::size_t> begin(rows + 1, 0);
  for (const auto& one : terms) ++begin[row_of(one) + 1];
  for (std::size_t row = 0; row < rows; ++row) begin[row + 1] += begin[row];
  std::vector<Entry> entries(terms.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const auto& one : terms) entries[next[row_of(one)]++] = {one.column, one.value};
  SparseRowsOf<T> result;
  result.first.assign(rows + 1, 0);
  for_each_index(rows, threads, [&](std::size_t row) {
    Entry* const own = entries.data() + begin[row];
    const std::size_t count = begin[row + 1] - begin[row];
    std::stable_sort(own, own + count, [](const Entry& a, const Entry& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count; ++k)
      if (kept > 0 && own[kept - 1].first == own[k].first)
        own[kept - 1].second += own[k].second;
      else
        own[kept++] = own[k];
    result.first[row + 1] = static_cast<std::int64_t>(kept);
  });
  for (std::size_t row = 0; row < rows; ++row) result.first[row + 1] += result.first[row];
  result.column.resize(static_cast<std::size_t>(result.first.back()));
  result.value.resize(result.column.size());
  for_each_index(rows, threads, [&](std::size_t row) {
    const Entry* own = entries.data() + begin[row];
    for (auto k = static_cast<std::size_t>(result.first[row]); k < static_cast<std::size_t>(result.first[row + 1]); ++k)
      std::tie(result.column[k], result.value[k]) = *own++;
  });
  return result;
}

}  // namespace tetrawave::fem
