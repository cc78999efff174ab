#include "basis/dense_matrix.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace tetrawave::basis {

namespace {

/// y += factor x, n numbers.
void add_row(double factor, const double* x, double* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += factor * x[j];
}

}  // namespace

void DenseMatrix::add_block(std::size_t row_at, std::size_t column_at, double factor, const DenseMatrix& other) {
  ensure(row_at + other.rows_ <= rows_ && column_at + other.columns_ <= columns_, "a block lies inside its matrix");
  for (std::size_t i = 0; i < other.rows_; ++i)
    add_row(factor, other.row(i), row(row_at + i) + column_at, other.columns_);
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

namespace {

/// Eliminates rows below k from column k: W <- W - v (2/v.v) (v^T W), v = W_k + sign |W_k| e_k.
void reflect(DenseMatrix& w, std::size_t k) {
  const std::size_t n = w.columns();
  double square = 0;
  for (std::size_t i = k; i < w.rows(); ++i) square += w(i, k) * w(i, k);
  ensure(square > 0, "a matrix to factor is singular");
  const double length = std::copysign(std::sqrt(square), w(k, k));
  w(k, k) += length;
  const double scale = 1 / (length * w(k, k));
  std::vector<double> sums(n, 0.0);
  for (std::size_t i = k; i < w.rows(); ++i) add_row(scale * w(i, k), w.row(i) + k + 1, &sums[k] + 1, n - k - 1);
  for (std::size_t i = k; i < w.rows(); ++i) add_row(-w(i, k), &sums[k] + 1, w.row(i) + k + 1, n - k - 1);
  w(k, k) = -length;
}

}  // namespace

void triangularize(DenseMatrix& w, std::size_t count) {
  ensure(count <= w.columns() && count <= w.rows(), "a matrix to factor has at least as many rows as columns");
  for (std::size_t k = 0; k < count; ++k) reflect(w, k);
}

GramInverse::GramInverse(DenseMatrix w) : r_(std::move(w)) { triangularize(r_, r_.columns()); }

void GramInverse::apply(DenseMatrix& x) const {
  const std::size_t n = r_.columns();
  const std::size_t m = x.columns();
  ensure(x.rows() == n, "a right-hand side has the rows of its matrix");
  const auto divide = [&](std::size_t i) {
    for (std::size_t j = 0; j < m; ++j) x.row(i)[j] /= r_(i, i);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_row(-r_(k, i), x.row(k), x.row(i), m);
    divide(i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) add_row(-r_(i, k), x.row(k), x.row(i), m);
    divide(i);
  }
}

}  // namespace tetrawave::basis
