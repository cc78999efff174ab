#include "schemes/upwind/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "schemes/upwind/coefficients.hpp"

namespace tetrawave::march {

namespace {

/// |R(z)|: what a step of LSERK54 of u' = lambda u with z = h lambda multiplies u by.
double runge_kutta_factor(std::complex<double> z) {
  std::complex<double> u = 1;
  std::complex<double> w = 0;
  for (const schemes::RungeKuttaStage& stage : schemes::lserk54) {
    w = stage.a * w + z * u;
    u += stage.b * w;
  }
  return std::abs(u);
}

}  // namespace

Spectrum::Spectrum(const SmallMatrix& matrix) : size_(matrix.size) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(size_);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Matrix>(matrix.entries.data(), n, n));
  if (solver.info() != Eigen::Success) throw InternalError("the eigenvalues of a small matrix were not found");
  values_.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  const auto vectors = solver.eigenvectors().eval();
  vectors_.assign(vectors.data(), vectors.data() + vectors.size());
}

double Spectrum::radius(double shift) const {
  double largest = 0;
  for (const auto& value : values_) largest = std::max(largest, std::abs(value + shift));
  return largest;
}

double Spectrum::runge_kutta_limit() const {
  const double fastest = radius();
  if (fastest == 0) return std::numeric_limits<double>::infinity();
  const auto is_stable = [this](double h) {
    return std::all_of(values_.begin(), values_.end(),
                       [h](const auto& value) { return runge_kutta_factor(h * value) <= 1 + 1e-9; });
  };
  double low = 0;
  double high = 4.7 / fastest;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    (is_stable(middle) ? low : high) = middle;
  }
  return low;
}

std::vector<double> Spectrum::dominant_direction(double shift) const {
  std::vector<double> sizes;
  for (const auto& value : values_) sizes.push_back(std::abs(value + shift));
  return nearest_direction(sizes);
}

std::vector<double> Spectrum::growing_direction(double h) const {
  std::vector<double> sizes;
  for (const auto& value : values_) sizes.push_back(runge_kutta_factor(h * value));
  return nearest_direction(sizes);
}

std::vector<double> Spectrum::nearest_direction(const std::vector<double>& sizes) const {
  constexpr double equal = 1e-10;
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  const auto n = static_cast<Eigen::Index>(size_);
  Eigen::MatrixXd space(n, 0);
  for (std::size_t k = 0; k < size_; ++k) {
    if (sizes[k] < (1 - equal) * largest) continue;
    const Eigen::Map<const Eigen::VectorXcd> vector(&vectors_[k * size_], n);
    space.conservativeResize(n, space.cols() + 2);
    space.rightCols(2) << vector.real(), vector.imag();
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(space);
  factors.setThreshold(1e-6);
  const Eigen::MatrixXd basis = factors.householderQ() * Eigen::MatrixXd::Identity(n, factors.rank());
  Eigen::VectorXd direction = basis * basis.row(0).transpose();
  if (direction.norm() < 1e-4) direction = basis.col(0);  // the axis is all but normal to the space
  direction.normalize();
  return {direction.begin(), direction.end()};
}

}  // namespace tetrawave::march
