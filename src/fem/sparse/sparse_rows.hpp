// Some rows of a sparse matrix, complex or real, for products with vectors of unknowns.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace tetrawave::fem {

template <class T>
struct SparseRowsOf {
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last
  std::vector<std::int32_t> column;
  std::vector<T> value;

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

}  // namespace tetrawave::fem
