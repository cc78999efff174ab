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
  /// The first rows and columns.
  [[nodiscard]] SmallMatrix leading(std::size_t n) const {
    SmallMatrix part(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) part(i, j) = (*this)(i, j);
    return part;
  }
};

/// An orthonormal basis of an invariant space of a small matrix A: the first columns of the product of as many
/// reflectors 1 - factor v v^T, whose v has zeros before its own number.
struct LeadingSpace {
  SmallMatrix matrix;  ///< A in this basis
  std::vector<std::vector<double>> reflectors;
  std::vector<double> factors;
  std::vector<double> last;  ///< last row of the basis
};

/// The eigenvalues lambda of a small matrix A and its invariant spaces, by the Schur form.
class Spectrum {
 public:
  explicit Spectrum(SmallMatrix matrix);

  /// max |lambda + shift|.
  [[nodiscard]] double radius(double shift = 0) const;
  /// The largest h at which one step of LSERK54 (schemes/upwind/coefficients.hpp) of u' = A u grows in no mode, where A
  /// itself has no growing ones; infinity for A = 0.
  [[nodiscard]] double runge_kutta_limit() const;

  /// Orders the eigenvalues by |lambda + shift|, the largest first.
  void order_by_size(double shift = 0);
  /// Orders them by what a step h of LSERK54 multiplies their modes by.
  void order_by_growth(double h);
  /// The last coordinate of the first Schur vector, which is the mode of the first eigenvalue: times the norm of what
  /// leaves a Krylov space, the error with which the mode satisfies its equation.
  [[nodiscard]] double last_of_first() const;
  /// The space of the first `count` eigenvalues, or of more where that would part a complex pair.
  [[nodiscard]] LeadingSpace leading_space(std::size_t count) const;

 private:
  void order_by(std::vector<double> sizes);
  SmallMatrix matrix_;
  std::vector<std::complex<double>> values_;  ///< the diagonal of the Schur form
  std::vector<std::complex<double>> form_;    ///< column by column
  std::vector<std::complex<double>> vectors_;
};

}  // namespace tetrawave::march
