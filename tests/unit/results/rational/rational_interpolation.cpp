#include "results/rational/rational_interpolation.hpp"

#include <cmath>

#include "catch.hpp"

using namespace tetrawave;
using Complex = std::complex<double>;
using results::RationalInterpolation;

namespace {

std::vector<double> even(double from, double to, std::size_t count) {
  std::vector<double> x;
  for (std::size_t k = 0; k < count; ++k)
    x.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count - 1));
  return x;
}

template <class Function>
std::vector<std::vector<Complex>> samples(const std::vector<double>& x, const Function& function) {
  std::vector<std::vector<Complex>> values;
  for (const double one : x) values.push_back(function(one));
  return values;
}

template <class Function>
double largest_error(const RationalInterpolation& fit, const std::vector<double>& x, const Function& function) {
  double error = 0;
  for (const double one : x) {
    const std::vector<Complex> found = fit.at(one), wanted = function(one);
    for (std::size_t e = 0; e < wanted.size(); ++e) error = std::max(error, std::abs(found[e] - wanted[e]));
  }
  return error;
}

/// Forty entries with six common poles, one of them a hundredth of a sample's distance from the axis.
std::vector<Complex> resonances(double x) {
  std::vector<Complex> values;
  for (int entry = 0; entry < 40; ++entry) {
    Complex sum(0.1 * entry, 0.2);
    for (int pole = 0; pole < 6; ++pole)
      sum += std::polar(pole == 3 ? 1e-4 : 0.05, 1.7 * entry * pole) /
             (x - Complex(1.05 + 0.17 * pole, pole == 3 ? 1e-4 : 0.05));
    values.push_back(sum);
  }
  return values;
}

}  // namespace

TEST_CASE("a rational function is found with as many supports as it has poles and one") {
  const RationalInterpolation fit(even(1, 2, 101), samples(even(1, 2, 101), resonances), 1e-11);
  CHECK(fit.supports() == 7);
  CHECK(largest_error(fit, even(1, 2, 5003), resonances) < 1e-10);
}

TEST_CASE("a branch point beside the samples takes more supports") {
  const auto cutoff = [](double x) { return std::vector<Complex>{std::sqrt(Complex(x * x - 0.98, 0)), x, 1 / x}; };
  const RationalInterpolation fit(even(1, 2, 129), samples(even(1, 2, 129), cutoff), 1e-11);
  CHECK(fit.supports() > 7);
  CHECK(fit.supports() < 30);
  CHECK(largest_error(fit, even(1, 2, 5003), cutoff) < 1e-9);
}

TEST_CASE("samples are met exactly where they are supports, and alike ones by one of them") {
  const std::vector<double> x = even(0, 1, 9);
  const auto constant = [](double) { return std::vector<Complex>{Complex(2, 1), Complex(0)}; };
  const RationalInterpolation fit(x, samples(x, constant), 1e-11);
  CHECK(fit.supports() == 1);
  CHECK(largest_error(fit, even(0, 1, 33), constant) == 0);
}

TEST_CASE("noise ends the growth at half of the samples") {
  std::uint32_t state = 1;
  const auto noise = [&state](double) {
    state = state * 1664525 + 1013904223;
    return std::vector<Complex>{Complex(state / 4294967296.0)};
  };
  const std::vector<double> x = even(0, 1, 40);
  CHECK(RationalInterpolation(x, samples(x, noise), 1e-9).supports() == 20);
}
