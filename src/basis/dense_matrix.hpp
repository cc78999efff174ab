// Small dense matrices of set-up work.
#pragma once

#include <cstddef>
#include <vector>

namespace tetrawave::basis {

/// A dense row-major matrix.
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), entries_(rows * columns, 0.0) {}
  static DenseMatrix identity(std::size_t size);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
  [[nodiscard]] double* row(std::size_t i) { return &entries_[i * columns_]; }
  [[nodiscard]] const double* row(std::size_t i) const { return &entries_[i * columns_]; }

  /// this += factor other, both of one shape.
  void add(double factor, const DenseMatrix& other);
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
  /// Of a square matrix that is symmetric but for rounding: its lower triangle counts.
  explicit SymmetricMatrix(const DenseMatrix& a);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// In place L of A = L L^T. Throws InternalError when A is not positive definite.
  void factor();
  /// Solves with the factor, in place.
  void solve(double* right_hand_side) const;
  /// Likewise for every column of a matrix of `size` rows.
  void solve(DenseMatrix& right_hand_sides) const;

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

}  // namespace tetrawave::basis
