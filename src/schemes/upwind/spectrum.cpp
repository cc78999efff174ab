#include "schemes/upwind/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Jacobi>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
Eigen::Map<const RowMajor> map_matrix(const SmallMatrix& matrix) {
  const auto n = static_cast<Eigen::Index>(matrix.size);
  return {matrix.entries.data(), n, n};
}

}  // namespace

Spectrum::Spectrum(SmallMatrix matrix) : matrix_(std::move(matrix)) {
  const auto n = static_cast<Eigen::Index>(matrix_.size);
  const Eigen::ComplexSchur<Eigen::MatrixXcd> schur(map_matrix(matrix_).cast<std::complex<double>>());
  if (schur.info() != Eigen::Success) throw InternalError("the eigenvalues of a small matrix were not found");
  const auto diagonal = schur.matrixT().diagonal().eval();
  values_.assign(diagonal.begin(), diagonal.end());
  form_.assign(schur.matrixT().data(), schur.matrixT().data() + n * n);
  vectors_.assign(schur.matrixU().data(), schur.matrixU().data() + n * n);
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

void Spectrum::order_by_size(double shift) {
  std::vector<double> sizes;
  for (const auto& value : values_) sizes.push_back(std::abs(value + shift));
  order_by(std::move(sizes));
}

void Spectrum::order_by_growth(double h) {
  std::vector<double> sizes;
  for (const auto& value : values_) sizes.push_back(std::abs(h * value) < 1 ? 0 : runge_kutta_factor(h * value));
  order_by(std::move(sizes));
}

// Neighbours on the diagonal change places by a rotation to the eigenvector of the second (Golub and Van Loan, 7.6.2).
void Spectrum::order_by(std::vector<double> sizes) {
  const auto n = static_cast<Eigen::Index>(values_.size());
  Eigen::Map<Eigen::MatrixXcd> form(form_.data(), n, n);
  Eigen::Map<Eigen::MatrixXcd> vectors(vectors_.data(), n, n);
  for (Eigen::Index sorted = 1; sorted < n; ++sorted)
    for (Eigen::Index i = sorted; i > 0 && sizes[i - 1] < sizes[i]; --i) {
      Eigen::JacobiRotation<std::complex<double>> rotation;
      rotation.makeGivens(form(i - 1, i), form(i, i) - form(i - 1, i - 1));
      form.applyOnTheLeft(i - 1, i, rotation.adjoint());
      form.applyOnTheRight(i - 1, i, rotation);
      vectors.applyOnTheRight(i - 1, i, rotation);
      std::swap(sizes[i - 1], sizes[i]);
      std::swap(values_[i - 1], values_[i]);
    }
}

double Spectrum::last_of_first() const { return std::abs(vectors_[values_.size() - 1]); }

LeadingSpace Spectrum::leading_space(std::size_t count) const {
  const auto n = static_cast<Eigen::Index>(values_.size());
  const auto matrix = map_matrix(matrix_);
  for (auto k = static_cast<Eigen::Index>(count);; ++k) {
    const auto vectors = Eigen::Map<const Eigen::MatrixXcd>(vectors_.data(), n, n).leftCols(k);
    Eigen::MatrixXd parts(n, 2 * k);
    parts << vectors.real(), vectors.imag();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(parts);
    const Eigen::MatrixXd basis = factors.householderQ() * Eigen::MatrixXd::Identity(n, k);
    const RowMajor small = basis.transpose() * matrix * basis;
    constexpr double parted = 1e-8;
    if (k < n && (matrix * basis - basis * small).norm() > parted * matrix.norm()) continue;
    LeadingSpace space{SmallMatrix(static_cast<std::size_t>(k)), {}, {}, {}};
    space.matrix.entries.assign(small.data(), small.data() + k * k);
    for (Eigen::Index i = 0; i < k; ++i) {
      std::vector<double> reflector(values_.size(), 0.0);
      reflector[static_cast<std::size_t>(i)] = 1;
      for (Eigen::Index j = i + 1; j < n; ++j) reflector[static_cast<std::size_t>(j)] = factors.matrixQR()(j, i);
      space.reflectors.push_back(std::move(reflector));
      space.factors.push_back(factors.hCoeffs()(i));
      space.last.push_back(basis(n - 1, i));
    }
    return space;
  }
}

}  // namespace tetrawave::march
