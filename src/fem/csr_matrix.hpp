// A sparse complex symmetric matrix in compressed rows, as frequency-domain assembly makes it.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace tetrawave::fem {

using Complex = std::complex<double>;

/// Where a matrix has entries: both triangles and the whole diagonal, columns of a row ascending.
struct CsrPattern {
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last: rows + 1
  std::vector<std::int32_t> column;

  [[nodiscard]] std::int32_t rows() const { return static_cast<std::int32_t>(first.size()) - 1; }
  [[nodiscard]] std::int64_t nonzeros() const { return first.back(); }
};

/// A = A^T (not Hermitian). The pattern outlives the matrix.
struct CsrMatrix {
  const CsrPattern* pattern = nullptr;
  std::vector<Complex> values;  ///< as CsrPattern::column
};

}  // namespace tetrawave::fem
