#include "sources/ports/modal_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/constants.hpp"
#include "basis/dense_matrix.hpp"

namespace tetrawave {

namespace {

using Complex = std::complex<double>;
constexpr Complex j{0, 1};
constexpr double finest = 1e-6;  ///< distance to a branch point below which nothing is resolved
constexpr int per_decade = 4;

/// Poles cluster geometrically towards the branch points +-j on the half circle to the left of them, where the branch
/// cut is placed: rational functions with such poles converge at a root-exponential rate (Gopal and Trefethen, SIAM J.
/// Numer. Anal. 57, 2019). Of conjugate pairs the upper one. (p - j)/(p + j) = j rho.
std::vector<Complex> poles_of_branch_pair() {
  std::vector<Complex> poles;
  const int count = static_cast<int>(std::lround(-std::log10(finest))) * per_decade;
  for (int k = 0; k < count; ++k) {
    const Complex m = j * std::pow(10.0, -(k + 0.5) / per_decade);
    poles.push_back(j * (1.0 + m) / (1.0 - m));
  }
  return poles;
}

/// Towards s = 0 from the left.
std::vector<Complex> poles_of_origin() {
  std::vector<Complex> poles;
  const int count = static_cast<int>(std::lround(-std::log10(finest))) * per_decade;
  for (int k = 0; k < count; ++k) poles.emplace_back(-std::pow(10.0, -(k + 0.5) / per_decade), 0);
  return poles;
}

/// Frequencies that cluster towards 0 and 1, and some above.
std::vector<double> samples() {
  std::vector<double> w;
  constexpr int count = 200;
  for (int k = 0; k < count; ++k) {
    const double d = std::pow(10.0, -8 + 7.7 * k / (count - 1));
    for (const double at : {d, 1 - d, 1 + d}) w.push_back(at);
    w.push_back(1.5 * std::pow(10.0, 2.3 * k / (count - 1)));
  }
  return w;
}

/// Lower weight where the poles cannot resolve the function.
double weight_at(double w) { return std::min({1.0, std::abs(w - 1) / 1e-5, w / 1e-5}); }

/// The columns of a pole: its real residue, and for a pair the imaginary one.
std::vector<Complex> columns_at(const std::vector<Complex>& poles, double w) {
  std::vector<Complex> columns;
  for (const Complex& pole : poles) {
    const Complex upper = 0.5 / (j * w - pole);
    const Complex lower = 0.5 / (j * w - std::conj(pole));
    columns.push_back(upper + lower);
    if (pole.imag() != 0) columns.push_back(j * (upper - lower));
  }
  return columns;
}

/// x of the least |A x - b|, of [A | b].
std::vector<double> least_squares(basis::DenseMatrix a) {
  const std::size_t n = a.columns() - 1;
  basis::triangularize(a, n);
  std::vector<double> x(n);
  for (std::size_t c = n; c-- > 0;) {
    double sum = a(c, n);
    for (std::size_t k = c + 1; k < n; ++k) sum -= a(c, k) * x[k];
    x[c] = sum / a(c, c);
  }
  return x;
}

/// The sum over these poles that is closest to `wanted` on the imaginary axis.
ExponentialSum fit(const std::vector<Complex>& poles, const std::function<Complex(double)>& wanted) {
  const std::vector<double> w = samples();
  const std::size_t n = columns_at(poles, 0).size();
  basis::DenseMatrix system(2 * w.size(), n + 1);
  for (std::size_t i = 0; i < w.size(); ++i) {
    std::vector<Complex> row = columns_at(poles, w[i]);
    row.push_back(wanted(w[i]));
    for (std::size_t c = 0; c <= n; ++c) {
      system(2 * i, c) = weight_at(w[i]) * row[c].real();
      system(2 * i + 1, c) = weight_at(w[i]) * row[c].imag();
    }
  }
  const std::vector<double> x = least_squares(std::move(system));
  ExponentialSum sum;
  sum.pole = poles;
  std::size_t next = 0;
  for (const Complex& pole : poles) {
    const double real = x[next++];
    sum.residue.emplace_back(real, pole.imag() == 0 ? 0 : x[next++]);
  }
  for (const double at : w)
    if (weight_at(at) == 1) sum.error = std::max(sum.error, std::abs(sum.transform(j * at) - wanted(at)));
  return sum;
}

}  // namespace

double ExponentialSum::operator()(double t) const {
  double sum = 0;
  for (std::size_t k = 0; k < pole.size(); ++k) sum += (residue[k] * std::exp(pole[k] * t)).real();
  return sum;
}

std::complex<double> ExponentialSum::transform(const std::complex<double>& s) const {
  Complex sum = 0;
  for (std::size_t k = 0; k < pole.size(); ++k)
    sum += 0.5 * (residue[k] / (s - pole[k]) + std::conj(residue[k]) / (s - std::conj(pole[k])));
  return sum;
}

std::complex<double> modal_root(std::complex<double> w) {
  if (std::abs(w.real()) < 1) return std::sqrt(1.0 - w * w);
  return w.real() > 0 ? j * std::sqrt(w * w - 1.0) : -j * std::sqrt(w * w - 1.0);
}

std::complex<double> exact_modal_reflection(double w) {
  const Complex q = modal_root(w);
  return (j * w - q) / (j * w + q);
}

std::complex<double> exact_modal_transmission(double w) {
  const Complex q = modal_root(w);
  return 2.0 * std::sqrt(j * w) * std::sqrt(q) / (j * w + q);
}

const ExponentialSum& modal_reflection() {
  static const ExponentialSum sum = fit(poles_of_branch_pair(), exact_modal_reflection);
  return sum;
}

const ExponentialSum& modal_transmission() {
  static const ExponentialSum sum = [] {
    std::vector<Complex> poles = poles_of_branch_pair();
    for (const Complex& pole : poles_of_origin()) poles.push_back(pole);
    return fit(poles, [](double w) { return exact_modal_transmission(w) - 1.0; });
  }();
  return sum;
}

}  // namespace tetrawave
