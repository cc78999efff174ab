// A sparse symmetric matrix in compressed rows, of complex numbers (frequency domain) or of real ones.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "base/unset_vector.hpp"

namespace tetrawave::fem {

using Complex = std::complex<double>;

/// The nonzero pattern of a matrix: both triangles and the whole diagonal, columns of a row ascending.
struct CsrPattern {
  std::vector<std::int64_t> first{0};  ///< of each row, and the end of the last: rows + 1
  UnsetVector<std::int32_t> column;
  std::vector<std::array<double, 3>> positions;  ///< [m] of unknowns, for their order of elimination; or none
  std::vector<std::int32_t> group;               ///< of unknowns that may be cut together, numbered from 0; or none

  [[nodiscard]] std::int32_t rows() const { return static_cast<std::int32_t>(first.size()) - 1; }
  [[nodiscard]] std::int64_t nonzeros() const { return first.back(); }
};

/// Properties of a matrix A = A^T in addition to its symmetry. Complex ones are not Hermitian, and never positive
/// definite.
enum class MatrixKind { symmetric, positive_definite };

template <class T>
class DeviceMatrix;

/// A = A^T (not Hermitian) of double or Complex. The pattern must outlive the matrix.
template <class T>
struct CsrMatrix {
  const CsrPattern* pattern = nullptr;
  UnsetVector<T> values;                 ///< as CsrPattern::column; none where a device has them
  DeviceMatrix<T>* on_device = nullptr;  ///< outlives the matrix; its values are those of the last assembly there
};

}  // namespace tetrawave::fem
