// Eigenvalues of small dense matrices, the time step limits of LSERK54 that follow from them, and restart directions
// for Arnoldi's method.
#pragma once

#include <complex>
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

/// The eigenvalues lambda and eigenvectors of a small matrix A, by the QR algorithm.
class Spectrum {
 public:
  explicit Spectrum(const SmallMatrix& matrix);

  /// max |lambda + shift|.
  [[nodiscard]] double radius(double shift = 0) const;
  /// The largest h at which one step of LSERK54 (schemes/upwind/coefficients.hpp) of u' = A u grows in no mode, where A
  /// itself has no growing ones; infinity for A = 0.
  [[nodiscard]] double runge_kutta_limit() const;

  /// The unit vector nearest to the first coordinate's axis in the space of the eigenvectors with the largest
  /// |lambda + shift|: it varies with the matrix as smoothly as they do, also where they are a complex pair.
  [[nodiscard]] std::vector<double> dominant_direction(double shift = 0) const;
  /// The same for the modes that a step h of LSERK54 multiplies by the most.
  [[nodiscard]] std::vector<double> growing_direction(double h) const;

 private:
  [[nodiscard]] std::vector<double> nearest_direction(const std::vector<double>& sizes) const;
  std::size_t size_;
  std::vector<std::complex<double>> values_;
  std::vector<std::complex<double>> vectors_;  ///< one after the other
};

}  // namespace tetrawave::march
