// Small systems as the frequency domain has them, and as an implicit march has them, and their dense counterparts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave_tests {

using tetrawave::fem::Complex;
using tetrawave::fem::CsrMatrix;
using tetrawave::fem::CsrPattern;
using Vector = std::vector<Complex>;

/// Of real numbers the first part alone.
template <class T>
T make_number(double real, double imaginary) {
  if constexpr (std::is_same_v<T, double>)
    return real;
  else
    return {real, imaginary};
}

/// Points of a box, numbered along x first, and the couplings between neighbours.
struct Grid {
  std::int32_t nx, ny, nz;

  [[nodiscard]] std::int32_t points() const { return nx * ny * nz; }

  /// Of point i, ascending, with i itself.
  [[nodiscard]] std::vector<std::int32_t> neighbours(std::int32_t i) const {
    const std::int32_t x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    std::vector<std::int32_t> found;
    if (z > 0) found.push_back(i - nx * ny);
    if (y > 0) found.push_back(i - nx);
    if (x > 0) found.push_back(i - 1);
    found.push_back(i);
    if (x + 1 < nx) found.push_back(i + 1);
    if (y + 1 < ny) found.push_back(i + nx);
    if (z + 1 < nz) found.push_back(i + nx * ny);
    return found;
  }
};

inline CsrPattern make_pattern(const Grid& grid) {
  CsrPattern pattern;
  for (std::int32_t i = 0; i < grid.points(); ++i) {
    const auto neighbours = grid.neighbours(i);
    pattern.column.insert(pattern.column.end(), neighbours.begin(), neighbours.end());
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return pattern;
}

/// With places, so that it can be dissected.
inline CsrPattern make_placed_pattern(const Grid& grid) {
  CsrPattern pattern = make_pattern(grid);
  for (std::int32_t i = 0; i < grid.points(); ++i)
    pattern.positions.push_back({1. * (i % grid.nx), 1. * (i / grid.nx % grid.ny), 1. * (i / (grid.nx * grid.ny))});
  return pattern;
}

/// -Laplace - (k h)^2 with losses j at the boundary, in the midst of unknowns of different scales g: g_i a_ij g_j. Of
/// real numbers -Laplace + (k h)^2, positive definite.
template <class T = Complex>
CsrMatrix<T> make_helmholtz(const Grid& grid, const CsrPattern& pattern, double kh) {
  CsrMatrix<T> matrix{&pattern, {}};
  const double square = std::is_same_v<T, double> ? kh * kh : -kh * kh;
  const auto scale = [](std::int32_t i) { return 1 + 0.8 * std::sin(0.7 * i); };
  for (std::int32_t i = 0; i < grid.points(); ++i) {
    const auto neighbours = grid.neighbours(i);
    const bool is_at_boundary = neighbours.size() < 7;
    for (const std::int32_t j : neighbours) {
      const T own = make_number<T>(6 + square, is_at_boundary ? kh : 0.02);
      matrix.values.push_back(scale(i) * scale(j) * (i == j ? own : make_number<T>(-1, 0.05)));
    }
  }
  return matrix;
}

/// Numbers without a pattern.
template <class T = Complex>
std::vector<T> make_vector(std::size_t size, int seed) {
  std::vector<T> vector;
  for (std::size_t i = 0; i < size; ++i)
    vector.push_back(make_number<T>(std::sin(1.3 * static_cast<double>(i + 1) * seed),
                                    std::cos(2.9 * static_cast<double>(i) + seed)));
  return vector;
}

template <class T>
using DenseOf = std::vector<std::vector<T>>;  // rows
using Dense = DenseOf<Complex>;

template <class T>
DenseOf<T> make_dense(const CsrMatrix<T>& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.pattern->rows());
  DenseOf<T> dense(rows, std::vector<T>(rows));
  for (std::size_t i = 0; i < rows; ++i)
    for (auto k = matrix.pattern->first[i]; k < matrix.pattern->first[i + 1]; ++k)
      dense[i][static_cast<std::size_t>(matrix.pattern->column[static_cast<std::size_t>(k)])] =
          matrix.values[static_cast<std::size_t>(k)];
  return dense;
}

template <class T>
std::vector<T> multiply(const DenseOf<T>& a, const std::vector<T>& x) {
  std::vector<T> y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  return y;
}

/// Gauss with pivots from the column.
template <class T>
std::vector<T> solve_dense(DenseOf<T> a, std::vector<T> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

template <class T>
double norm(const std::vector<T>& x) {
  double sum = 0;
  for (const T& v : x) sum += std::norm(v);
  return std::sqrt(sum);
}

/// ||a - b|| / ||b||.
template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> difference = a;
  for (std::size_t i = 0; i < b.size(); ++i) difference[i] -= b[i];
  return norm(difference) / norm(b);
}

}  // namespace tetrawave_tests
