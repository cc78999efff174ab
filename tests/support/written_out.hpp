// Basis functions written out by formula, dense matrices and quadrature points: the parts of the dense reference.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace tetrawave_tests {

/// W_ij = L_i G_j - L_j G_i on the edges 01 02 03 12 13 23, after them (full-1) grad(L_i L_j) on the same edges.
class WrittenOutBasis {
 public:
  WrittenOutBasis(tetrawave::Space space, const std::array<tetrawave::Vec3, 4>& corners);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Function i at a point of space, inside the element or not [1/m].
  [[nodiscard]] tetrawave::Vec3 value(std::size_t i, const tetrawave::Vec3& point) const;
  /// curl W_ij = 2 G_i x G_j; gradients have none [1/m^2].
  [[nodiscard]] tetrawave::Vec3 curl(std::size_t i) const;
  [[nodiscard]] const std::array<tetrawave::Vec3, 4>& corners() const { return corners_; }
  /// Unit outward normal of the face opposite vertex f.
  [[nodiscard]] tetrawave::Vec3 normal(std::size_t f) const;

 private:
  [[nodiscard]] double barycentric(std::size_t vertex, const tetrawave::Vec3& point) const;
  std::size_t size_;
  std::array<tetrawave::Vec3, 4> corners_;
  std::array<tetrawave::Vec3, 4> gradients_;
};

/// A dense matrix and what the reference does with it.
struct DenseMatrix {
  std::size_t rows;
  std::vector<double> entries;

  explicit DenseMatrix(std::size_t size = 0) : rows(size), entries(size * size, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return entries[i * rows + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries[i * rows + j]; }
  /// y += factor A x
  void add_product(double factor, const double* x, double* y) const;
  void add(double factor, const DenseMatrix& other);
  /// In place L of A = L L^T (lower triangle), by Cholesky; false when A is not positive definite.
  [[nodiscard]] bool factor();
  /// A^-1 b of a symmetric positive definite matrix.
  [[nodiscard]] std::vector<double> solve(std::vector<double> b) const;
};

/// A quadrature point in space and its weight [m^3 or m^2].
struct Point {
  tetrawave::Vec3 at;
  double weight;
};

/// Exact for degree 2: four points of a tetrahedron, the three midpoints of the edges of its face f.
std::vector<Point> volume_points(const std::array<tetrawave::Vec3, 4>& corners);
std::vector<Point> face_points(const std::array<tetrawave::Vec3, 4>& corners, std::size_t f);

}  // namespace tetrawave_tests
