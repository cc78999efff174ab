#include "results/rational/rational_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "results/rational/partial_fractions.hpp"

namespace tetrawave::results {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

namespace {

constexpr int most_relocations = 20;  ///< for one number of poles
constexpr double gain = 0.8;          ///< by which more poles must lower the error to be kept
constexpr int patience = 3;           ///< pairs added without such a gain

/// Frequencies are relative to the highest of the samples.
class Fit {
 public:
  Fit(const MatrixSamples& samples, double tolerance)
      : count_(static_cast<Eigen::Index>(samples.frequency_hz.size())), samples_(samples) {
    const auto entries = static_cast<Eigen::Index>(samples.rows * samples.columns);
    scale_ = 2 * std::numbers::pi * samples.frequency_hz.back();
    for (const double hz : samples.frequency_hz) s_.emplace_back(0, 2 * std::numbers::pi * hz / scale_);
    values_ = as_real(Eigen::Map<const Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        samples.values.data(), count_, entries));
    // The sum of squares over all entries is that over their orthogonal combinations, of which few matter: values^T P =
    // Q R, whose next diagonal is the largest norm of what is left of a row.
    const Eigen::ColPivHouseholderQR<Matrix> qr(values_.transpose());
    const Eigen::VectorXd sizes = std::sqrt(2.0 * static_cast<double>(count_)) * qr.matrixQR().diagonal().cwiseAbs();
    const double least = std::max(1e-12 * sizes[0], 1e-2 * tolerance * std::sqrt(static_cast<double>(count_)));
    Eigen::Index kept = 1;
    while (kept < sizes.size() && sizes[kept] > least) ++kept;
    const Matrix upper = qr.matrixQR().topRows(kept).triangularView<Eigen::Upper>();
    combinations_ = qr.colsPermutation() * upper.transpose();
  }

  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const std::vector<Complex>& s() const { return s_; }

  /// Zeros of the relaxed weight sigma = d + sum c/(s - p), with which sigma times each entry has the poles p.
  [[nodiscard]] std::vector<Complex> relocate(const std::vector<Complex>& poles) const;
  /// Residues and constant for given poles, and the errors.
  [[nodiscard]] RationalModel solve(const std::vector<Complex>& poles) const;

 private:
  [[nodiscard]] Eigen::MatrixXcd functions(const std::vector<Complex>& poles) const {
    Eigen::MatrixXcd result(count_, static_cast<Eigen::Index>(poles.size() + 1));
    for (Eigen::Index f = 0; f < count_; ++f)
      result.row(f) = partial_fractions(poles, s_[static_cast<std::size_t>(f)]).transpose();
    return result;
  }

  Eigen::Index count_;
  const MatrixSamples& samples_;
  double scale_ = 1;
  std::vector<Complex> s_;
  Matrix values_;        ///< [real and imaginary parts][entry]
  Matrix combinations_;  ///< likewise
};

/// Stable poles with pairs adjacent from the eigenvalues of a real matrix.
std::vector<Complex> stable_poles(const Eigen::VectorXcd& values) {
  std::vector<Complex> poles;
  for (const Complex value : values) {
    if (value.imag() < 0) continue;  // its conjugate is there
    const Complex pole(-std::max(std::abs(value.real()), 1e-12), value.imag());
    poles.push_back(pole);
    if (pole.imag() > 0) poles.push_back(std::conj(pole));
  }
  return poles;
}

std::vector<Complex> Fit::relocate(const std::vector<Complex>& poles) const {
  const auto n = static_cast<Eigen::Index>(poles.size());
  const Eigen::MatrixXcd basis = functions(poles);
  const Matrix own = as_real(basis);
  const Eigen::HouseholderQR<Matrix> qr(own);
  Matrix stacked(combinations_.cols() * (n + 1) + 1, n + 1);
  for (Eigen::Index c = 0; c < combinations_.cols(); ++c) {
    const Eigen::VectorXcd h = combinations_.col(c).head(count_) + Complex(0, 1) * combinations_.col(c).tail(count_);
    Matrix products = as_real(h.asDiagonal() * basis);
    products.applyOnTheLeft(qr.householderQ().transpose());
    const Matrix rest = products.bottomRows(2 * count_ - (n + 1));
    const Eigen::HouseholderQR<Matrix> inner(rest);
    const Eigen::Index rows = std::min(n + 1, rest.rows());
    Matrix block = Matrix::Zero(n + 1, n + 1);
    block.topRows(rows) = inner.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
    stacked.middleRows(c * (n + 1), n + 1) = block;
  }
  // The mean of the real part of sigma is one (relaxed; Gustavsen 2006).
  const double weight = combinations_.norm() / static_cast<double>(count_);
  stacked.bottomRows(1) = weight * basis.real().colwise().sum();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(stacked.rows());
  right[right.size() - 1] = weight * static_cast<double>(count_);
  const Eigen::VectorXd sizes = stacked.colwise().norm().cwiseMax(1e-300);
  const Eigen::VectorXd sigma =
      (stacked * sizes.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(right).cwiseQuotient(sizes);
  double constant = sigma[n];
  if (std::abs(constant) < 1e-8) constant = constant < 0 ? -1e-8 : 1e-8;
  Matrix zeros = Matrix::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Complex pole = poles[static_cast<std::size_t>(k)];
    zeros(k, k) = pole.real();
    if (pole.imag() == 0) {
      zeros.row(k) -= sigma.head(n).transpose() / constant;
      continue;
    }
    zeros(k, k + 1) = pole.imag();
    zeros(k + 1, k) = -pole.imag();
    zeros(k + 1, k + 1) = pole.real();
    zeros.row(k) -= 2 * sigma.head(n).transpose() / constant;
    ++k;
  }
  return stable_poles(zeros.eigenvalues());
}

RationalModel Fit::solve(const std::vector<Complex>& poles) const {
  const Matrix basis = as_real(functions(poles));
  const Eigen::VectorXd sizes = basis.colwise().norm();
  const Matrix coefficients = sizes.cwiseInverse().asDiagonal() *
                              (basis * sizes.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(values_);
  RationalModel model{samples_.rows, samples_.columns, poles, {}, {}};
  set_coefficients(model, coefficients);
  for (Complex& pole : model.poles) pole *= scale_;
  for (Complex& residue : model.residues) residue *= scale_;
  measure_error(model, samples_);
  return model;
}

/// The frequency of the largest error.
std::size_t worst_sample(const RationalModel& model, const MatrixSamples& samples) {
  const std::size_t entries = model.rows * model.columns;
  double most = -1;
  std::size_t worst = 0;
  for (std::size_t f = 0; f < samples.frequency_hz.size(); ++f) {
    const auto value = model.at({0, 2 * std::numbers::pi * samples.frequency_hz[f]});
    for (std::size_t e = 0; e < entries; ++e) {
      const double error = std::abs(value[e] - samples.values[f * entries + e]);
      if (error <= most) continue;
      most = error;
      worst = f;
    }
  }
  return worst;
}

/// The best model that relocation of these poles leads to.
RationalModel relocated(const Fit& fit, std::vector<Complex> poles, double tolerance) {
  RationalModel best = fit.solve(poles);
  int without_gain = 0;
  for (int i = 0; i < most_relocations && without_gain < 3; ++i) {
    poles = fit.relocate(poles);
    RationalModel model = fit.solve(poles);
    without_gain = model.rms_error < 0.9 * best.rms_error ? 0 : without_gain + 1;
    if (model.rms_error < best.rms_error) best = std::move(model);
    if (best.error <= tolerance && i >= 3 && without_gain > 0) break;
  }
  return best;
}

std::vector<Complex> relative(const std::vector<Complex>& poles, double scale) {
  std::vector<Complex> result;
  for (const Complex pole : poles) result.push_back(pole / scale);
  return result;
}

/// Without poles that do nothing on the axis, if the tolerance still holds; a constant keeps its poles.
RationalModel pruned(const Fit& fit, const RationalModel& model, double tolerance) {
  const std::size_t entries = model.rows * model.columns;
  std::vector<Complex> poles;
  for (std::size_t k = 0; k < model.poles.size(); ++k) {
    double largest = 0;
    for (std::size_t e = 0; e < entries; ++e)
      largest = std::max(largest, std::abs(model.residues[k * entries + e] / model.poles[k].real()));
    if (largest > 0.1 * tolerance) poles.push_back(model.poles[k] / fit.scale());
  }
  if (poles.empty() || poles.size() == model.poles.size()) return model;
  RationalModel fewer = relocated(fit, poles, tolerance);
  return fewer.error <= tolerance ? fewer : model;
}

}  // namespace

std::vector<Complex> RationalModel::at(Complex s) const {
  const std::size_t entries = rows * columns;
  std::vector<Complex> values(constant.begin(), constant.end());
  for (std::size_t k = 0; k < poles.size(); ++k) {
    const Complex fraction = 1.0 / (s - poles[k]);
    for (std::size_t e = 0; e < entries; ++e) values[e] += residues[k * entries + e] * fraction;
  }
  return values;
}

void measure_error(RationalModel& model, const MatrixSamples& samples) {
  const std::size_t entries = model.rows * model.columns;
  double sum = 0;
  model.error = 0;
  for (std::size_t f = 0; f < samples.frequency_hz.size(); ++f) {
    const auto value = model.at({0, 2 * std::numbers::pi * samples.frequency_hz[f]});
    for (std::size_t e = 0; e < entries; ++e) {
      const double error = std::abs(value[e] - samples.values[f * entries + e]);
      model.error = std::max(model.error, error);
      sum += error * error;
    }
  }
  model.rms_error = std::sqrt(sum / static_cast<double>(samples.values.size()));
}

RationalModel fit_rational_model(const MatrixSamples& samples, const FitOptions& options) {
  ensure(samples.frequency_hz.size() >= fewest_samples, "a rational model needs four frequencies or more");
  const Fit fit(samples, options.tolerance);
  const std::size_t most =
      std::max<std::size_t>(2, std::min(options.max_poles, samples.frequency_hz.size() / 2) / 2 * 2);
  const double low = fit.s().front().imag(), span = fit.s().back().imag() - low;
  const auto pair_at = [&](std::vector<Complex>& poles, double omega) {
    const Complex pole(-0.01 * std::max(omega, span), std::max(omega, 1e-3 * span));
    poles.push_back(pole);
    poles.push_back(std::conj(pole));
  };
  std::vector<Complex> poles;
  pair_at(poles, low + span / 2);
  RationalModel best = relocated(fit, poles, options.tolerance);
  RationalModel last = best;
  for (int without_gain = 0;
       best.error > options.tolerance && last.poles.size() + 2 <= most && without_gain < patience;) {
    poles = relative(last.poles, fit.scale());
    pair_at(poles, fit.s()[worst_sample(last, samples)].imag());
    last = relocated(fit, poles, options.tolerance);
    without_gain = last.rms_error < gain * best.rms_error ? 0 : without_gain + 1;
    if (without_gain == 0 || last.error <= options.tolerance) best = last;
  }
  return pruned(fit, best, options.tolerance);
}

}  // namespace tetrawave::results
