#include "media/wideband_debye.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace tetrawave {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t fit_samples = 201;

std::vector<double> band(const WidebandDebye& spec) {
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < fit_samples; ++i)
    frequencies.push_back(spec.from_hz * std::pow(spec.to_hz / spec.from_hz,
                                                  static_cast<double>(i) / static_cast<double>(fit_samples - 1)));
  return frequencies;
}

Complex debye(double frequency_hz, double relaxation_hz) { return 1.0 / Complex(1, frequency_hz / relaxation_hz); }

/// Solves the symmetric system A x = b of n unknowns by Cholesky; none if A is not positive definite.
std::optional<std::vector<double>> solve(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < n; ++i) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    if (!(a[j * n + j] > 0)) return {};
    const double root = std::sqrt(a[j * n + j]);
    for (std::size_t i = j; i < n; ++i) a[i * n + j] /= root;
    for (std::size_t k = 0; k < j; ++k) b[j] -= a[j * n + k] * b[k];
    b[j] /= root;
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t i = j + 1; i < n; ++i) b[j] -= a[i * n + j] * b[i];
    b[j] /= a[j * n + j];
  }
  return b;
}

/// The midpoints of `count` logarithmically equal parts of the band, widened by 5 percent.
std::vector<double> relaxation_frequencies(const WidebandDebye& spec, std::size_t count) {
  constexpr double widening = 1.05;
  std::vector<double> frequencies;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(count) - 0.5;
    frequencies.push_back(std::sqrt(spec.from_hz * spec.to_hz) * std::pow(spec.to_hz / spec.from_hz, widening * place));
  }
  return frequencies;
}

/// Strengths that minimise the relative error of the loss over the band.
std::optional<std::vector<double>> fit_strengths(const WidebandDebye& spec, const std::vector<double>& relaxation) {
  const std::size_t n = relaxation.size();
  std::vector<double> matrix(n * n, 0.0), right(n, 0.0), row(n);
  for (const double f : band(spec)) {
    const double wanted = wideband_debye_permittivity(spec, f).imag();
    for (std::size_t i = 0; i < n; ++i) row[i] = debye(f, relaxation[i]).imag() / wanted;
    for (std::size_t i = 0; i < n; ++i) {
      right[i] += row[i];
      for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] += row[i] * row[j];
    }
  }
  auto strengths = solve(std::move(matrix), std::move(right));
  const auto positive = [](double x) { return x > 0; };
  if (strengths && !std::all_of(strengths->begin(), strengths->end(), positive)) strengths.reset();
  return strengths;
}

void measure(WidebandDebyeFit& fit, const WidebandDebye& spec) {
  for (const double f : band(spec)) {
    Complex found = fit.eps_r;
    for (const DebyeTerm& term : fit.terms) found += term.delta / Complex(1, 2 * pi * f * term.tau_s);
    const Complex wanted = wideband_debye_permittivity(spec, f);
    const double ratio = (found.imag() / found.real()) / (wanted.imag() / wanted.real());
    fit.permittivity_error = std::max(fit.permittivity_error, std::abs(found - wanted) / std::abs(wanted));
    fit.loss_tangent_error = std::max(fit.loss_tangent_error, std::abs(ratio - 1));
  }
}

/// None if a strength is not above 0.
std::optional<WidebandDebyeFit> fit_with(const WidebandDebye& spec, std::size_t count) {
  const std::vector<double> relaxation = relaxation_frequencies(spec, count);
  const auto strengths = fit_strengths(spec, relaxation);
  if (!strengths) return {};
  Complex at = 0;
  for (std::size_t i = 0; i < count; ++i) at += (*strengths)[i] * debye(spec.at_hz, relaxation[i]);
  const double scale = spec.eps_r * spec.loss_tangent / -at.imag();
  WidebandDebyeFit fit;
  fit.eps_r = spec.eps_r - scale * at.real();
  for (std::size_t i = 0; i < count; ++i) fit.terms.push_back({scale * (*strengths)[i], 1 / (2 * pi * relaxation[i])});
  measure(fit, spec);
  return fit;
}

}  // namespace

Complex wideband_debye_permittivity(const WidebandDebye& spec, double frequency_hz) {
  const double strength =
      spec.eps_r * spec.loss_tangent / (std::atan(spec.at_hz / spec.from_hz) - std::atan(spec.at_hz / spec.to_hz));
  const auto shape = [&](double f) { return std::log(Complex(spec.to_hz, f) / Complex(spec.from_hz, f)); };
  return spec.eps_r + strength * (shape(frequency_hz) - shape(spec.at_hz).real());
}

WidebandDebyeFit fit_wideband_debye(const WidebandDebye& spec) {
  constexpr std::size_t fewest = 1, most = 16;
  constexpr double enough = 0.02;
  std::optional<WidebandDebyeFit> best;
  for (std::size_t count = fewest; count <= most; ++count) {
    const auto fit = fit_with(spec, count);
    if (fit && (!best || fit->loss_tangent_error < best->loss_tangent_error)) best = fit;
    if (best && best->loss_tangent_error < enough) break;
  }
  ensure(best.has_value(), "one Debye term has a positive strength");
  return *best;
}

}  // namespace tetrawave
