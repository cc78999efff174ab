// Small dense matrices for set-up.
#pragma once

#include <cstddef>
#include <vector>

namespace tetrawave::basis {

/// A dense row-major matrix.
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), entries_(rows * columns, 0.0) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  [[nodiscard]] double* row(std::size_t i) { return &entries_[i * columns_]; }
  [[nodiscard]] const double* row(std::size_t i) const { return &entries_[i * columns_]; }

  /// this(i + row, j + column) += factor other(i, j).
  void add_block(std::size_t row, std::size_t column, double factor, const DenseMatrix& other);

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> entries_;
};

/// A dense symmetric positive definite matrix, row major, with its Cholesky solve.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::size_t size) : size_(size), entries_(size * size, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[i * size_ + j]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// In-place L of A = L L^T. Throws InternalError if A is not positive definite.
  void factor();
  /// Solves with the factor, in place.
  void solve(double* right_hand_side) const;

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

/// Householder's QR of the first `count` columns of W, in place: their upper triangle becomes R (entries below it are
/// undefined), the other columns are multiplied by Q^T. There must be at least as many rows as such columns. Throws
/// InternalError if those columns are linearly dependent to machine precision.
void triangularize(DenseMatrix& w, std::size_t count);

/// The inverse of A = W^T W, by Householder's QR of W. A itself, whose condition number is that of W squared, is never
/// formed: on flat elements this saves half of the lost digits.
class GramInverse {
 public:
  /// W has at least as many rows as columns. Throws InternalError if A is singular.
  explicit GramInverse(DenseMatrix w);
  /// x <- A^-1 x, column by column.
  void apply(DenseMatrix& x) const;

 private:
  DenseMatrix r_;  ///< W, then R in its upper triangle
};

}  // namespace tetrawave::basis
