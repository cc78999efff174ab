#include "terms/pml/layers.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "catch.hpp"
#include "terms/pml/coefficients.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

namespace {

using Complex = std::complex<double>;

const std::vector<schemes::LayerStretch>& stretches() {
  static const std::vector<schemes::LayerStretch> list{{{0.7, 2.5, 1.1}, 0.2, 0}, {{0.7, 2.5, 1.1}, 0.2, 0.4},
                                                       {{0.7, 2.5, 0}, 0.2, 0.4}, {{0, 2.5, 0.7}, 0.2, 0},
                                                       {{0, 0, 1.3}, 0.2, 0.4},   {{1.3, 0, 0}, 0.2, 0}};
  return list;
}

/// (s + loss) s_j s_k/s_i by its definition.
Complex quotient(const schemes::LayerStretch& stretch, std::size_t i, Complex s) {
  const auto factor = [&](std::size_t axis) { return 1. + stretch.sigma[axis % 3] / (s + stretch.alpha); };
  return (s + stretch.loss) * factor(i + 1) * factor(i + 2) / factor(i);
}

}  // namespace

TEST_CASE("the terms of a layer are its stretches' quotient, and one is enough where one axis is stretched") {
  const Complex s(0.3, 1.9);
  for (const auto& stretch : stretches())
    for (std::size_t i = 0; i < 3; ++i) {
      const auto term = schemes::layer_terms(stretch)[i];
      const Complex first = term.residues[0] / (s + term.poles[0]);
      const Complex second = term.residues[1] / ((s + term.poles[0]) * (s + term.poles[1]));
      CHECK(std::abs(s + term.rate + first + second - quotient(stretch, i, s)) < 1e-13);
      const auto stretched = std::count_if(stretch.sigma.begin(), stretch.sigma.end(), [](double x) { return x > 0; });
      if (stretched == 1) CHECK(term.residues[1] == 0);
    }
}

TEST_CASE("a layer's step is its stretches' quotient at the trapezoidal rule's frequency") {
  // u = z^n: (2/dt)(z - 1)/(z + 1) takes the place of s, and (z + 1)/2 is the mean.
  const double dt = 0.3;
  const Complex z = std::polar(0.95, 0.8);
  const Complex s = 2 / dt * (z - 1.) / (z + 1.);
  for (const auto& stretch : stretches())
    for (std::size_t i = 0; i < 3; ++i) {
      const auto step = schemes::layer_step(schemes::layer_terms(stretch)[i], dt);
      const Complex p1 = (z + 1.) / (z - step.keep[0]);  // z h1 = keep p1 + 1, p1 = h1 + 1
      const Complex p2 = p1 * (z + 1.) / (z - step.keep[1]);
      const Complex found = step.axis * z - (2 - step.axis) + step.push[0] * p1 + step.push[1] * p2;
      CHECK(std::abs(found - dt * (z + 1.) / 2. * quotient(stretch, i, s)) < 1e-13);
    }
}

TEST_CASE("the profile of a layer is the cube of the depth, in cells its mean") {
  CHECK(schemes::layer_profile(0.5, 0) == Approx(0.125));
  CHECK(schemes::layer_profile(1, 0) == 1);
  double sum = 0;
  for (int cell = 0; cell < 8; ++cell) {
    const double within = schemes::layer_profile((cell + 0.2) / 8, 8);
    CHECK(within == schemes::layer_profile((cell + 0.9) / 8, 8));
    sum += within / 8;
  }
  CHECK(sum == Approx(0.25));
  // exp(-2 sigma_max T/4) = reflection
  CHECK(std::exp(-2 * schemes::largest_rate_per_m(1e-6, 0.3) * 0.3 / 4) == Approx(1e-6));
}
