#include "media/skin_effect.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"

namespace tetrawave {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t samples = 201;
constexpr double below = 20;  ///< extension of the rates beyond the ends of the band
constexpr double above = 10;

double frequency_of(const SkinEffect& metal, std::size_t k) {
  return metal.from_hz *
         std::pow(metal.to_hz / metal.from_hz, static_cast<double>(k) / static_cast<double>(samples - 1));
}

Complex branch(double frequency_hz, double rate_per_s) {
  const Complex s(0, 2 * pi * frequency_hz);
  return s / (s + rate_per_s);
}

/// The fitted part of z, relative to the wanted impedance. Hammerstad's factor applies to the resistance; the reactance
/// then follows from causality.
Complex compared(const SkinEffect& metal, const Complex& z, const Complex& wanted) {
  return metal.roughness_m > 0 ? Complex(z.real() / wanted.real()) : z / wanted;
}

/// x >= 0 that minimises x A x/2 - b x, by sweeps over its components: A is positive definite and small.
std::vector<double> solve_non_negative(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr int sweeps = 100'000;
  constexpr double settled = 1e-12;
  const std::size_t n = b.size();
  std::vector<double> x(n, 0.0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double rest = b[i];
      for (std::size_t j = 0; j < n; ++j) rest -= a[i * n + j] * x[j];
      const double next = std::max(0.0, x[i] + rest / a[i * n + i]);
      change = std::max(change, std::abs(next - x[i]));
      x[i] = next;
    }
    if (change < settled * *std::max_element(x.begin(), x.end())) break;
  }
  return x;
}

}  // namespace

Complex surface_impedance(const SkinEffect& metal, Complex frequency_hz) {
  const Complex depth = 1.0 / std::sqrt(pi * frequency_hz * mu0_h_per_m * metal.sigma_s_per_m);
  const Complex ratio = metal.roughness_m / depth;
  const Complex rough = 1.0 + 2 / pi * std::atan(1.4 * ratio * ratio);
  return Complex(1, 1) * rough / (metal.sigma_s_per_m * depth);
}

Complex SkinEffectFit::operator()(double frequency_hz) const {
  Complex sum = 0;
  for (std::size_t b = 0; b < ohms.size(); ++b) sum += ohms[b] * branch(frequency_hz, rates_per_s[b]);
  return sum;
}

double SkinEffectFit::total_ohms() const { return std::accumulate(ohms.begin(), ohms.end(), 0.0); }

SkinEffectFit fit_skin_effect(const SkinEffect& metal) {
  constexpr std::size_t n = skin_effect_branches;
  SkinEffectFit fit;
  const double first = 2 * pi * metal.from_hz / below;
  const double range = metal.to_hz / metal.from_hz * below * above;
  for (std::size_t b = 0; b < n; ++b)
    fit.rates_per_s.push_back(first * std::pow(range, static_cast<double>(b) / static_cast<double>(n - 1)));
  const double scale = std::abs(surface_impedance(metal, metal.to_hz));
  std::vector<double> matrix(n * n, 0.0), right(n, 0.0);
  for (std::size_t k = 0; k < samples; ++k) {
    const double f = frequency_of(metal, k);
    const Complex wanted = surface_impedance(metal, f) / scale;
    for (std::size_t i = 0; i < n; ++i) {
      const Complex row = compared(metal, branch(f, fit.rates_per_s[i]), wanted);
      right[i] += (row * std::conj(compared(metal, wanted, wanted))).real();
      for (std::size_t j = 0; j < n; ++j)
        matrix[i * n + j] += (row * std::conj(compared(metal, branch(f, fit.rates_per_s[j]), wanted))).real();
    }
  }
  fit.ohms = solve_non_negative(matrix, right);
  for (double& ohms : fit.ohms) ohms *= scale;
  for (std::size_t k = 0; k < samples; ++k) {
    const Complex wanted = surface_impedance(metal, frequency_of(metal, k));
    fit.error = std::max(fit.error, std::abs(compared(metal, fit(frequency_of(metal, k)) - wanted, wanted)));
  }
  return fit;
}

}  // namespace tetrawave
