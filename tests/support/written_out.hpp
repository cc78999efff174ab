// Basis functions written out by formula, dense matrices and quadrature points: the parts of the dense reference.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "base/names.hpp"
#include "base/types.hpp"
#include "spaces.hpp"

namespace tetrawave_tests {

/// Functions per element.
std::size_t dofs_of(tetrawave::Space space);

/// The functions of a space, one formula after the other (theory/elements): W_ij = L_i G_j - L_j G_i on the
/// edges 01 02 03 12 13 23 | grad(L_i L_j) on the same edges | L_a W_bc, L_b W_ac on the faces abc = 123 023 013 012 |
/// grad(L_i L_j (L_i - L_j)) on the edges, grad(L_a L_b L_c) on the faces | u_a - u_b, u_b - u_c and L_a^2 W_bc - L_b^2
/// W_ac + L_c^2 W_ab on the faces, u_a = L_a (L_b - L_c) W_bc, u_b = L_b (L_a - L_c) W_ac, u_c = L_c (L_a - L_b) W_ab,
/// then L_0 L_1 W_23, L_0 L_2 W_13, L_1 L_2 W_03 | grad(L_i L_j (L_i^2 - 3 L_i L_j + L_j^2)) on the edges,
/// grad(L_a L_b L_c (L_a - L_b)), grad(L_a L_b L_c (L_a + L_b - 2 L_c)) on the faces, grad(L_0 L_1 L_2 L_3).
/// full-3 as it is marched: (1, 3 or 6) L_a L_b L_c G_j for 000 001 002 003 011 .. 333, j = 0..3 without a; full-4
/// likewise with four factors.
class WrittenOutBasis {
 public:
  WrittenOutBasis(tetrawave::Space space, const std::array<tetrawave::Vec3, 4>& corners);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Function i at a point of space, inside the element or not [1/m].
  [[nodiscard]] tetrawave::Vec3 value(std::size_t i, const tetrawave::Vec3& point) const;
  /// All functions at a point, which are kept: matrices and steps ask for the same points again and again.
  [[nodiscard]] const std::vector<tetrawave::Vec3>& values(const tetrawave::Vec3& point) const;
  /// curl W_ij = 2 G_i x G_j, curl (p W_bc) = grad p x W_bc + p curl W_bc; gradients have none [1/m^2].
  [[nodiscard]] tetrawave::Vec3 curl(std::size_t i, const tetrawave::Vec3& point) const;
  [[nodiscard]] const std::array<tetrawave::Vec3, 4>& corners() const { return corners_; }
  /// Unit outward normal of the face opposite vertex f.
  [[nodiscard]] tetrawave::Vec3 normal(std::size_t f) const;

 private:
  [[nodiscard]] double barycentric(std::size_t vertex, const tetrawave::Vec3& point) const;
  [[nodiscard]] tetrawave::Vec3 whitney(std::size_t a, std::size_t b, const tetrawave::Vec3& point) const;
  /// Sum of p W_bc over the terms of rotational function i (from 30) of degree 3, or of its curl.
  [[nodiscard]] tetrawave::Vec3 third_degree(std::size_t i, const tetrawave::Vec3& point, bool curl) const;
  [[nodiscard]] tetrawave::Vec3 quartic_gradient(std::size_t i, const tetrawave::Vec3& point) const;
  /// Function i of full_3 or full_4, or its curl.
  [[nodiscard]] tetrawave::Vec3 bernstein(std::size_t i, const tetrawave::Vec3& point, bool curl) const;
  std::size_t size_;
  bool is_bernstein_;
  std::array<tetrawave::Vec3, 4> corners_;
  std::array<tetrawave::Vec3, 4> gradients_;
  mutable std::map<tetrawave::Vec3, std::vector<tetrawave::Vec3>> values_;
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
  /// The same where this is already L.
  [[nodiscard]] std::vector<double> solve_by_factor(std::vector<double> b) const;
};

/// A quadrature point in space and its weight [m^3 or m^2].
struct Point {
  tetrawave::Vec3 at;
  double weight;
};

/// Points of an element and of its face f, exact for the products of two functions.
std::vector<Point> volume_points(const WrittenOutBasis& basis);
std::vector<Point> face_points(const WrittenOutBasis& basis, std::size_t f);

}  // namespace tetrawave_tests
