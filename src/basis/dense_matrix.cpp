#include "basis/dense_matrix.hpp"

#include <cmath>

#include "base/error.hpp"

namespace tetrawave::basis {

namespace {

/// y += factor x, n numbers.
void add_row(double factor, const double* x, double* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += factor * x[j];
}

}  // namespace

DenseMatrix DenseMatrix::identity(std::size_t size) {
  DenseMatrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1;
  return result;
}

void DenseMatrix::add(double factor, const DenseMatrix& other) { add_block(0, 0, factor, other); }

void DenseMatrix::add_block(std::size_t row_at, std::size_t column_at, double factor, const DenseMatrix& other) {
  ensure(row_at + other.rows_ <= rows_ && column_at + other.columns_ <= columns_, "a block lies inside its matrix");
  for (std::size_t i = 0; i < other.rows_; ++i)
    add_row(factor, other.row(i), row(row_at + i) + column_at, other.columns_);
}

SymmetricMatrix::SymmetricMatrix(const DenseMatrix& a) : SymmetricMatrix(a.rows()) {
  ensure(a.rows() == a.columns(), "a symmetric matrix is square");
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j <= i; ++j) (*this)(i, j) = (*this)(j, i) = a(i, j);
}

void SymmetricMatrix::factor() {
  SymmetricMatrix& a = *this;
  for (std::size_t j = 0; j < size_; ++j) {
    for (std::size_t k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
    ensure(a(j, j) > 0, "an element matrix is not positive definite");
    a(j, j) = std::sqrt(a(j, j));
    for (std::size_t i = j + 1; i < size_; ++i) {
      for (std::size_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
}

void SymmetricMatrix::solve(double* x) const {
  const SymmetricMatrix& l = *this;
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l(i, k) * x[k];
    x[i] /= l(i, i);
  }
  for (std::size_t i = size_; i-- > 0;) {
    for (std::size_t k = i + 1; k < size_; ++k) x[i] -= l(k, i) * x[k];
    x[i] /= l(i, i);
  }
}

void SymmetricMatrix::solve(DenseMatrix& x) const {
  const SymmetricMatrix& l = *this;
  ensure(x.rows() == size_, "a right-hand side has the rows of its matrix");
  const std::size_t m = x.columns();
  const auto divide = [&](std::size_t i) {
    for (std::size_t j = 0; j < m; ++j) x.row(i)[j] /= l(i, i);
  };
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_row(-l(i, k), x.row(k), x.row(i), m);
    divide(i);
  }
  for (std::size_t i = size_; i-- > 0;) {
    for (std::size_t k = i + 1; k < size_; ++k) add_row(-l(k, i), x.row(k), x.row(i), m);
    divide(i);
  }
}

}  // namespace tetrawave::basis
