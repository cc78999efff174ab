// Small systems as the frequency domain has them, and their dense counterparts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "fem/blocked_vectors.hpp"
#include "fem/row_product.hpp"

namespace tetrawave_tests {

using tetrawave::fem::Complex;
using tetrawave::fem::CsrMatrix;
using tetrawave::fem::CsrPattern;
using Vector = std::vector<Complex>;

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

/// -Laplace - (k h)^2 with losses j at the boundary, in the midst of unknowns of different scales g: g_i a_ij g_j.
inline CsrMatrix<Complex> make_helmholtz(const Grid& grid, const CsrPattern& pattern, double kh) {
  CsrMatrix<Complex> matrix{&pattern, {}};
  const auto scale = [](std::int32_t i) { return 1 + 0.8 * std::sin(0.7 * i); };
  for (std::int32_t i = 0; i < grid.points(); ++i) {
    const auto neighbours = grid.neighbours(i);
    const bool is_at_boundary = neighbours.size() < 7;
    for (const std::int32_t j : neighbours) {
      const Complex own(6 - kh * kh, is_at_boundary ? kh : 0.02);
      matrix.values.push_back(scale(i) * scale(j) * (i == j ? own : Complex(-1, 0.05)));
    }
  }
  return matrix;
}

/// Numbers without a pattern.
inline Vector make_vector(std::size_t size, int seed) {
  Vector vector;
  for (std::size_t i = 0; i < size; ++i)
    vector.emplace_back(std::sin(1.3 * static_cast<double>(i + 1) * seed),
                        std::cos(2.9 * static_cast<double>(i) + seed));
  return vector;
}

using Dense = std::vector<Vector>;  // rows

inline Dense make_dense(const CsrMatrix<Complex>& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.pattern->rows());
  Dense dense(rows, Vector(rows));
  for (std::size_t i = 0; i < rows; ++i)
    for (auto k = matrix.pattern->first[i]; k < matrix.pattern->first[i + 1]; ++k)
      dense[i][static_cast<std::size_t>(matrix.pattern->column[static_cast<std::size_t>(k)])] =
          matrix.values[static_cast<std::size_t>(k)];
  return dense;
}

inline Vector multiply(const Dense& a, const Vector& x) {
  Vector y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  return y;
}

/// Gauss with pivots from the column.
inline Vector solve_dense(Dense a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Complex factor = a[i][k] / a[k][k];
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

inline double norm(const Vector& x) {
  double sum = 0;
  for (const Complex v : x) sum += std::norm(v);
  return std::sqrt(sum);
}

/// ||a - b|| / ||b||.
inline double distance(const Vector& a, const Vector& b) {
  Vector difference = a;
  for (std::size_t i = 0; i < b.size(); ++i) difference[i] -= b[i];
  return norm(difference) / norm(b);
}

}  // namespace tetrawave_tests
