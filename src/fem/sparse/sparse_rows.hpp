// Some rows of a sparse matrix, for products with vectors of unknowns.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"

namespace tetrawave::fem {

struct SparseRows {
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last
  std::vector<std::int32_t> column;
  std::vector<std::complex<double>> value;

  [[nodiscard]] std::size_t rows() const { return first.size() - 1; }

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

}  // namespace tetrawave::fem
