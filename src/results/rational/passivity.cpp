#include "results/rational/passivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "results/rational/partial_fractions.hpp"

namespace tetrawave::results {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;
using ComplexMatrix = Eigen::MatrixXcd;
using Svd = Eigen::JacobiSVD<ComplexMatrix, Eigen::NoQRPreconditioner>;  // of square matrices
using RowMajor = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double resolution = 1e-7;  ///< of the largest singular value
constexpr int most_corrections = 40;
constexpr int most_extra_pairs = 3;          ///< on either side of the samples
constexpr double weight_out_of_band = 1e-6;  ///< of a change beyond the samples, relative to one at them

Matrix constant_of(const RationalModel& model) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      model.constant.data(), static_cast<Eigen::Index>(model.rows), static_cast<Eigen::Index>(model.columns));
}

ComplexMatrix value_at(const RationalModel& model, double omega) {
  if (omega == infinite) return constant_of(model).cast<Complex>();
  const auto values = model.at({0, omega});
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(model.rows),
                                    static_cast<Eigen::Index>(model.columns));
}

double largest_at(const RationalModel& model, double omega) { return Svd(value_at(model, omega)).singularValues()[0]; }

void scale(RationalModel& model, double factor) {
  for (Complex& residue : model.residues) residue *= factor;
  for (double& value : model.constant) value *= factor;
}

/// Where to look for maxima [rad/s], ascending: around the poles, and from zero far beyond them.
std::vector<double> search_grid(const RationalModel& model) {
  double low = infinite, high = 0;
  std::vector<double> grid{0};
  for (const Complex pole : model.poles) {
    low = std::min(low, std::abs(pole));
    high = std::max(high, std::abs(pole));
    for (const double step : {-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0})
      if (pole.imag() >= 0) grid.push_back(std::abs(pole.imag() - step * pole.real()));
  }
  constexpr int points = 400;
  for (int i = 0; i <= points; ++i) grid.push_back(low * 1e-2 * std::pow(high / low * 1e4, i / double{points}));
  std::sort(grid.begin(), grid.end());
  return grid;
}

struct Peak {
  double omega = 0;
  double value = 0;
};

/// The maximum between two frequencies, by golden sections.
Peak find_peak(const RationalModel& model, double from, double to) {
  const double ratio = 2 / (1 + std::sqrt(5.0));
  double left = to - ratio * (to - from), right = from + ratio * (to - from);
  double at_left = largest_at(model, left), at_right = largest_at(model, right);
  for (int i = 0; i < 25; ++i) {
    if (at_left > at_right) {
      to = right;
      right = left;
      at_right = at_left;
      left = to - ratio * (to - from);
      at_left = largest_at(model, left);
    } else {
      from = left;
      left = right;
      at_left = at_right;
      right = from + ratio * (to - from);
      at_right = largest_at(model, right);
    }
  }
  return at_left > at_right ? Peak{left, at_left} : Peak{right, at_right};
}

/// Local maxima of the largest singular value that exceed `level`.
std::vector<Peak> peaks_above(const RationalModel& model, double level) {
  const std::vector<double> grid = search_grid(model);
  std::vector<double> values;
  for (const double omega : grid) values.push_back(largest_at(model, omega));
  std::vector<Peak> peaks;
  if (const double last = largest_at(model, infinite); last > level) peaks.push_back({infinite, last});
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const double before = k == 0 ? 0 : values[k - 1], after = k + 1 == grid.size() ? 0 : values[k + 1];
    if (values[k] < before || values[k] < after || values[k] == before) continue;
    Peak peak = find_peak(model, grid[k == 0 ? 0 : k - 1], grid[std::min(k + 1, grid.size() - 1)]);
    if (values[k] >= peak.value) peak = {grid[k], values[k]};
    if (peak.value > level) peaks.push_back(peak);
  }
  return peaks;
}

/// Angular frequencies at which a singular value may pass through `level`: with S = D + C (s - A)^-1 B symmetric,
/// s^2 is an eigenvalue of (A - B (D + 1)^-1 C)(A - B (D - 1)^-1 C) of the model divided by `level`.
std::vector<double> crossings(const RationalModel& model, double level) {
  const auto ports = static_cast<Eigen::Index>(model.rows);
  const auto states = static_cast<Eigen::Index>(model.poles.size()) * ports;
  double unit = 0;
  for (const Complex pole : model.poles) unit = std::max(unit, std::abs(pole));
  Matrix a = Matrix::Zero(states, states), b = Matrix::Zero(states, ports), c(ports, states);
  const Matrix coefficients = coefficients_of(model);
  const Matrix one = Matrix::Identity(ports, ports);
  for (std::size_t k = 0; k < model.poles.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k) * ports;
    const auto put_residue = [&](Eigen::Index row, Eigen::Index place) {
      for (Eigen::Index i = 0; i < ports; ++i)
        c.row(i).segment(place, ports) = coefficients.row(row).segment(i * ports, ports) / (level * unit);
    };
    const auto row = static_cast<Eigen::Index>(k);
    const Complex pole = model.poles[k] / unit;
    put_residue(row, at);
    a.block(at, at, ports, ports) = pole.real() * one;
    b.middleRows(at, ports) = one;
    if (!begins_pair(model.poles, k)) continue;
    put_residue(row + 1, at + ports);
    b.middleRows(at, ports) = 2 * one;
    a.block(at, at + ports, ports, ports) = pole.imag() * one;
    a.block(at + ports, at, ports, ports) = -pole.imag() * one;
    a.block(at + ports, at + ports, ports, ports) = pole.real() * one;
    ++k;
  }
  const Matrix d = constant_of(model) / level;
  const Matrix plus = a - b * (d + one).partialPivLu().solve(c), minus = a - b * (d - one).partialPivLu().solve(c);
  std::vector<double> omega{0};
  for (const Complex square : Matrix(plus * minus).eigenvalues())
    if (square.real() < 0 && std::abs(square.imag()) < 1e-6 * std::abs(square))
      omega.push_back(unit * std::sqrt(-square.real()));
  std::sort(omega.begin(), omega.end());
  omega.push_back(2 * omega.back() + unit);
  return omega;
}

/// Re(u^H S v) <= 1 at one frequency for unit vectors u, v: a bound on the sum of slope times coefficient. All passive
/// models keep it, a convex set.
struct Bound {
  Matrix slope;      ///< [function][entry]
  Matrix direction;  ///< inverse metric times slope
};

/// Bounds that the model breaks, of the singular vectors at the peaks.
std::vector<Bound> bounds_at(const RationalModel& model, const std::vector<Peak>& peaks, const Matrix& inverse) {
  std::vector<Bound> bounds;
  const auto functions = static_cast<Eigen::Index>(model.poles.size() + 1);
  const auto ports = static_cast<Eigen::Index>(model.rows);
  for (const Peak& peak : peaks) {
    const Svd svd(value_at(model, peak.omega), Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::VectorXcd phi = Eigen::VectorXcd::Unit(functions, functions - 1);
    if (peak.omega != infinite) phi = partial_fractions(model.poles, {0, peak.omega});
    for (Eigen::Index k = 0; k < ports && svd.singularValues()[k] > 1; ++k) {
      const ComplexMatrix product = svd.matrixU().col(k).conjugate() * svd.matrixV().col(k).transpose();
      const RowMajor symmetric = (product + product.transpose()) / 2;
      const Eigen::Map<const Eigen::RowVectorXcd> entries(symmetric.data(), ports * ports);
      const Matrix slope = (phi * entries).real();
      bounds.push_back({slope, inverse * slope});
    }
  }
  return bounds;
}

/// The inverse of the metric of a change: its mean square at the samples, and little beyond them.
Matrix inverse_metric(const RationalModel& model, const MatrixSamples& samples) {
  const auto functions = static_cast<Eigen::Index>(model.poles.size() + 1);
  Matrix metric = Matrix::Zero(functions, functions);
  const auto add = [&](double omega, double weight) {
    const Eigen::VectorXcd phi = partial_fractions(model.poles, {0, omega});
    metric += weight * (phi.real() * phi.real().transpose() + phi.imag() * phi.imag().transpose());
  };
  for (const double hz : samples.frequency_hz)
    add(2 * std::numbers::pi * hz, 1 / static_cast<double>(samples.frequency_hz.size()));
  const std::vector<double> grid = search_grid(model);
  for (const double omega : grid) add(omega, weight_out_of_band / static_cast<double>(grid.size()));
  const Eigen::VectorXd sizes = metric.diagonal().cwiseSqrt();
  metric = sizes.cwiseInverse().asDiagonal() * metric * sizes.cwiseInverse().asDiagonal();
  metric += 1e-12 * Matrix::Identity(functions, functions);
  return sizes.cwiseInverse().asDiagonal() * metric.inverse() * sizes.cwiseInverse().asDiagonal();
}

/// The projection of a model onto the intersection of bounds in the metric, by Hildreth's iteration on their
/// multipliers.
class Projection {
 public:
  explicit Projection(Matrix coefficients) : start_(std::move(coefficients)) {}

  void add(Bound bound) {
    const auto count = static_cast<Eigen::Index>(bounds_.size());
    gram_.conservativeResize(count + 1, count + 1);
    excess_.conservativeResize(count + 1);
    multipliers_.conservativeResize(count + 1);
    for (Eigen::Index i = 0; i < count; ++i)
      gram_(i, count) = gram_(count, i) = at(i).slope.cwiseProduct(bound.direction).sum();
    gram_(count, count) = bound.slope.cwiseProduct(bound.direction).sum();
    excess_[count] = bound.slope.cwiseProduct(start_).sum() - 1;
    multipliers_[count] = 0;
    bounds_.push_back(std::move(bound));
  }

  [[nodiscard]] Matrix solve() {
    constexpr int most_sweeps = 300;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double largest = 0;
      for (Eigen::Index i = 0; i < excess_.size(); ++i) {
        const double broken = excess_[i] - gram_.row(i).dot(multipliers_);
        const double step = std::max(broken / gram_(i, i), -multipliers_[i]);
        multipliers_[i] += step;
        largest = std::max(largest, std::abs(step) * gram_(i, i));
      }
      if (largest < 1e-9) break;
    }
    Matrix result = start_;
    for (Eigen::Index i = 0; i < excess_.size(); ++i) result -= multipliers_[i] * at(i).direction;
    return result;
  }

 private:
  [[nodiscard]] const Bound& at(Eigen::Index i) const { return bounds_[static_cast<std::size_t>(i)]; }

  Matrix start_;
  std::vector<Bound> bounds_;
  Matrix gram_;
  Eigen::VectorXd excess_;  ///< of the start
  Eigen::VectorXd multipliers_;
};

double change_of(const RationalModel& model, const RationalModel& before, const MatrixSamples& samples) {
  double most = 0;
  for (const double hz : samples.frequency_hz)
    most = std::max(most, (value_at(model, 2 * std::numbers::pi * hz) - value_at(before, 2 * std::numbers::pi * hz))
                              .cwiseAbs()
                              .maxCoeff());
  return most;
}

/// With pairs of Q = 1 below and above the samples, of residue zero: where a model may exceed one as its data end.
RationalModel with_outer_poles(RationalModel model, const MatrixSamples& samples, int pairs) {
  const auto add = [&](double omega) {
    for (const double side : {1.0, -1.0}) {
      model.poles.push_back(omega * Complex(-0.5, side));
      model.residues.resize(model.residues.size() + model.rows * model.columns);
    }
  };
  double factor = 1;
  for (int k = 0; k < pairs; ++k) {
    factor *= 0.75;
    add(2 * std::numbers::pi * samples.frequency_hz.front() * factor);
    add(2 * std::numbers::pi * samples.frequency_hz.back() / factor);
  }
  return model;
}

/// Projects the model, and divides it by what is left above one. Every step is so made passive; the one that changes
/// the samples least is kept.
void make_passive(RationalModel& model, const RationalModel& before, const MatrixSamples& samples, double tolerance,
                  PassivityReport& report) {
  const Matrix inverse = inverse_metric(model, samples);
  RationalModel best;
  double least = infinite;
  Projection projection(coefficients_of(model));
  for (int i = 0; i <= most_corrections; ++i) {
    const std::vector<Peak> peaks = peaks_above(model, 1);
    double largest = 1;
    for (const Peak& peak : peaks) largest = std::max(largest, peak.value);
    RationalModel scaled = model;
    scale(scaled, 1 / largest);
    if (const double change = change_of(scaled, before, samples); change < least) {
      least = change;
      best = std::move(scaled);
      report.corrections = i;
    }
    if (largest < 1 + 1e-2 * tolerance) break;
    for (Bound& bound : bounds_at(model, peaks, inverse)) projection.add(std::move(bound));
    set_coefficients(model, projection.solve());
  }
  for (int i = 0; i < 10; ++i) {
    report.largest_after = largest_singular_value(best);
    if (report.largest_after * (1 + resolution) <= 1) break;
    scale(best, 1 / (report.largest_after * (1 + 2 * resolution)));
  }
  model = std::move(best);
  report.change = change_of(model, before, samples);
}

}  // namespace

double largest_singular_value(const RationalModel& model) {
  ensure(model.rows == model.columns, "passivity is that of a square matrix");
  double largest = largest_at(model, infinite);
  for (const Peak& peak : peaks_above(model, 0)) largest = std::max(largest, peak.value);
  for (int i = 0; i < 50; ++i) {
    const double level = largest * (1 + resolution);
    const std::vector<double> omega = crossings(model, level);
    double found = 0;
    for (std::size_t k = 0; k + 1 < omega.size(); ++k)
      found = std::max(found, largest_at(model, (omega[k] + omega[k + 1]) / 2));
    if (found <= level) break;
    largest = found;
  }
  return largest;
}

PassivityReport enforce_passivity(RationalModel& model, const MatrixSamples& samples, double tolerance) {
  PassivityReport report;
  report.largest_before = report.largest_after = largest_singular_value(model);
  if (report.largest_before <= 1) return report;
  const RationalModel before = model;
  double least = infinite;
  for (int pairs = 0; pairs <= most_extra_pairs && least > tolerance; ++pairs) {
    PassivityReport trial_report = report;
    RationalModel trial = with_outer_poles(before, samples, pairs);
    make_passive(trial, before, samples, tolerance, trial_report);
    if (trial_report.change > 0.7 * least) break;
    least = trial_report.change;
    model = std::move(trial);
    report = trial_report;
  }
  measure_error(model, samples);
  return report;
}

}  // namespace tetrawave::results
