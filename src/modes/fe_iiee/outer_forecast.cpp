#include "modes/fe_iiee/outer_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "modes/fe_iiee/outer_iteration.hpp"

namespace tetrawave::modes {

namespace {

using Complex = std::complex<double>;

/// x j_n and x h_n of the second kind with their derivatives.
struct Riccati {
  double regular = 0, regular_slope = 0;
  Complex outgoing, outgoing_slope;

  Riccati(unsigned order, double x)
      : regular(x * std::sph_bessel(order, x)), outgoing(regular, -x * std::sph_neumann(order, x)) {
    const double before = x * std::sph_bessel(order - 1, x);
    regular_slope = before - order / x * regular;
    outgoing_slope = Complex(before, -x * std::sph_neumann(order - 1, x)) - order / x * outgoing;
  }
};

/// Of each partial wave of a metal sphere of radius `inner` in a plane wave, lengths times k: its boundary values on S
/// of radius `outer`, and what an iteration leaves of their error.
struct PartialWaves {
  std::vector<Complex> values, rates;

  PartialWaves(double inner, double outer) {
    constexpr Complex j{0, 1};
    const auto last = static_cast<unsigned>(inner + 4 * std::cbrt(inner)) + 6;  // others scatter nothing
    for (unsigned n = 1; n <= last; ++n) {
      const Riccati near(n, inner), far(n, outer);
      const Complex leaves = far.outgoing_slope + j * far.outgoing;
      const Complex back = -leaves / (far.regular_slope + j * far.regular);
      for (const Complex part : {near.regular / near.outgoing, near.regular_slope / near.outgoing_slope}) {
        values.push_back(std::sqrt(2.0 * n + 1) * std::abs(leaves) * part);
        rates.push_back(part * back / (1.0 + part * back));
      }
    }
  }
};

int count_iterations(OuterMethod method, const PartialWaves& waves, double tolerance) {
  constexpr int most = 1000;
  const std::size_t size = waves.rates.size();
  std::vector<Complex> b(size);
  for (std::size_t i = 0; i < size; ++i) b[i] = (1.0 - waves.rates[i]) * waves.values[i];
  const auto iteration = make_outer_iteration(method, {b}, std::vector<double>(size, 1), 1, 1);
  for (int count = 1; count <= most; ++count) {
    const auto& wanted = iteration->next(tolerance);
    if (wanted.empty()) return iteration->change() <= tolerance ? count : 0;
    std::vector<Complex> image = wanted.front();
    for (std::size_t i = 0; i < size; ++i) image[i] *= waves.rates[i];
    iteration->take({image});
  }
  return 0;
}

}  // namespace

OuterForecast forecast_outer_iteration(double size, double gap_wavelengths, double tolerance) {
  ensure(size > 0 && gap_wavelengths > 0, "S' has a size, and S lies outside of it");
  const PartialWaves waves(size, size + 2 * pi * gap_wavelengths);
  OuterForecast forecast{size, gap_wavelengths, 0, 0, count_iterations(OuterMethod::gmres, waves, tolerance)};
  for (const Complex& rate : waves.rates) forecast.rate = std::max(forecast.rate, std::abs(rate));
  if (forecast.rate < 1) forecast.plain = count_iterations(OuterMethod::plain, waves, tolerance);
  return forecast;
}

std::optional<std::string> warning_of(const OuterForecast& forecast, const IieeSpec& spec) {
  constexpr double near_divergence = 0.9;
  if (spec.method != OuterMethod::plain || forecast.rate < near_divergence) return std::nullopt;
  return tetrawave::format(
      "iiee.method: plain leaves about {:.2f} of the error in each iteration{} (as around a sphere of k a {:.3g}, "
      "{:.2g} wavelengths inside of S): use gmres, or put iiee.outer farther away",
      forecast.rate, forecast.rate < 1 ? "" : ", and diverges", forecast.size, forecast.gap_wavelengths);
}

kernels::ClusterChoice cluster_choice(const IieeSpec& spec) {
  constexpr double usual_iterations = 10;  // of gmres: theory/fe-iiee
  if (spec.sums == BoundarySums::compressed) return {spec.compression_tolerance, 0};
  if (spec.sums == BoundarySums::pairs || spec.papers_kernel || spec.mixed_precision) return {};
  return {spec.compression_tolerance, spec.iterations > 0 ? static_cast<double>(spec.iterations) : usual_iterations};
}

}  // namespace tetrawave::modes
