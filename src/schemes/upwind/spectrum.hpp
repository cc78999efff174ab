// Small dense matrices: spectral radius, dominant direction, and the step at which LSERK54 is stable on one.
#pragma once

#include <cstddef>
#include <vector>

namespace tetrawave::march {

/// Row major, square.
struct SmallMatrix {
  std::size_t size = 0;
  std::vector<double> entries;
  explicit SmallMatrix(std::size_t n) : size(n), entries(n * n, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
};

/// max |lambda|, by Gelfand's formula with repeated squaring.
double spectral_radius(const SmallMatrix& matrix);

/// A unit vector that powers of the matrix turn to: an eigenvector of the largest |lambda|, or of the plane of a
/// complex pair the vector nearest to the first coordinate's axis, whatever the phase that high powers end with: it
/// varies with the matrix as smoothly as its eigenvectors do.
std::vector<double> dominant_direction(const SmallMatrix& matrix);

/// The matrix of one step of length h of LSERK54 (schemes/upwind/coefficients.hpp) of u' = A u.
SmallMatrix runge_kutta_step(const SmallMatrix& matrix, double h);

/// The largest h at which the eigenvalues of h A are in the region of stability of LSERK54; A has no
/// growing ones.
double runge_kutta_limit(const SmallMatrix& matrix);

}  // namespace tetrawave::march
