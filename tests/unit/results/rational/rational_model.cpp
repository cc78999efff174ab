#include "results/rational/rational_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "results/rational/model_resonances.hpp"
#include "results/rational/passivity.hpp"

namespace {

using namespace tetrawave::results;
using tetrawave_tests::Approx;
using Complex = std::complex<double>;

constexpr double two_pi = 2 * std::numbers::pi;

std::vector<double> band(double from_hz, double to_hz, int points) {
  std::vector<double> hz;
  for (int k = 0; k < points; ++k) hz.push_back(from_hz + (to_hz - from_hz) * k / (points - 1));
  return hz;
}

MatrixSamples sample(const RationalModel& model, const std::vector<double>& hz) {
  MatrixSamples samples{hz, model.rows, model.columns, {}};
  for (const double f : hz) {
    const auto values = model.at({0, two_pi * f});
    samples.values.insert(samples.values.end(), values.begin(), values.end());
  }
  return samples;
}

/// A 2 x 2 model: pairs (frequency, Q) with symmetric residues of `strength` |Re p|, and a real pole.
RationalModel make_model(const std::vector<std::pair<double, double>>& resonances, double strength) {
  RationalModel model{2, 2, {}, {}, {0.2, -0.1, -0.1, 0.3}};
  const auto add = [&](Complex pole, double size) {
    model.poles.push_back(pole);
    for (const Complex r : {Complex(1, 0.2), Complex(-0.4, 0.1), Complex(-0.4, 0.1), Complex(0.5, -0.3)})
      model.residues.push_back(pole.imag() == 0  ? Complex(size * r.real())
                               : pole.imag() > 0 ? size * r
                                                 : size * std::conj(r));
  };
  for (const auto& [hz, q] : resonances) {
    const double omega = two_pi * hz, decay = omega / (2 * q);
    add({-decay, std::sqrt(omega * omega - decay * decay)}, strength * decay);
    add({-decay, -std::sqrt(omega * omega - decay * decay)}, strength * decay);
  }
  add(-two_pi * 3e9, strength * two_pi * 1e9);
  return model;
}

double distance_to(const std::vector<Complex>& poles, Complex pole) {
  double least = HUGE_VAL;
  for (const Complex other : poles) least = std::min(least, std::abs(other - pole));
  return least / std::abs(pole);
}

/// S of a series impedance between two ports of 50 ohm.
MatrixSamples series_impedance(const std::vector<double>& hz, double ohm, double henry, double farad) {
  MatrixSamples samples{hz, 2, 2, {}};
  for (const double f : hz) {
    const Complex s(0, two_pi * f);
    const Complex z = (ohm + s * henry + 1.0 / (s * farad)) / 50.0;
    const Complex reflected = z / (z + 2.0), transmitted = 2.0 / (z + 2.0);
    for (const Complex value : {reflected, transmitted, transmitted, reflected}) samples.values.push_back(value);
  }
  return samples;
}

/// Largest singular value of a symmetric or any other 2 x 2 matrix in closed form.
double largest_of(const std::vector<Complex>& m) {
  double sum = 0;
  for (const Complex value : m) sum += std::norm(value);
  const double determinant = std::norm(m[0] * m[3] - m[1] * m[2]);
  return std::sqrt((sum + std::sqrt(std::max(0.0, sum * sum - 4 * determinant))) / 2);
}

}  // namespace

TEST_CASE("The poles and residues of a rational function come back to eight digits", "[rational]") {
  const RationalModel truth = make_model({{1e9, 20}, {1.7e9, 300}, {1.72e9, 250}, {2.6e9, 5000}}, 0.7);
  const RationalModel model = fit_rational_model(sample(truth, band(0.5e9, 3e9, 401)), {1e-10, 30});
  CHECK(model.error < 1e-10);
  CHECK(model.poles.size() <= 12);
  for (const Complex pole : truth.poles) CHECK(distance_to(model.poles, pole) < 1e-8);
  // Between the samples and beyond them it is the same function.
  for (const double hz : band(0.1e9, 6e9, 777)) {
    const auto wanted = truth.at({0, two_pi * hz}), found = model.at({0, two_pi * hz});
    for (std::size_t e = 0; e < 4; ++e) CHECK(std::abs(wanted[e] - found[e]) < 1e-7);
  }
}

TEST_CASE("A Butterworth low-pass has the poles of its closed form", "[rational]") {
  // Third order, 50 ohm, 1 GHz: C = Y/w, L = 2 Z/w, C = Y/w; |S21|^2 = 1/(1 + x^6).
  const double w = two_pi * 1e9;
  MatrixSamples samples{band(0.05e9, 3e9, 101), 2, 2, {}};
  for (const double hz : samples.frequency_hz) {
    const Complex x(0, two_pi * hz / w);
    // ABCD of shunt x, series 2 x, shunt x, at 1 ohm.
    const Complex a = 1.0 + 2.0 * x * x, b = 2.0 * x, c = 2.0 * x + 2.0 * x * x * x, d = a;
    const Complex sum = a + b + c + d;
    for (const Complex value : {(a + b - c - d) / sum, 2.0 / sum, 2.0 / sum, (d + b - c - a) / sum})
      samples.values.push_back(value);
  }
  const RationalModel model = fit_rational_model(samples, {1e-9, 20});
  CHECK(model.error < 1e-9);
  CHECK(distance_to(model.poles, w * Complex(-1, 0)) < 1e-7);
  CHECK(distance_to(model.poles, w * std::polar(1.0, two_pi / 3)) < 1e-7);
  const auto found = find_resonances(model, 0.05e9, 3e9, {0, 1});
  REQUIRE(found.size() == 1);                                   // the real pole is none
  CHECK(find_resonances(model, 0.9e9, 1.1e9, {0, 1}).empty());  // wider than the band
  CHECK(found[0].hz == Approx(1e9).epsilon(1e-7));
  CHECK(found[0].loaded_q == Approx(1).epsilon(1e-7));
}

TEST_CASE("A series resonator has its loaded, external and unloaded Q", "[rational]") {
  // In series between ports of 50 ohm: Q = w L/R inside, w L/100 by both ports, w L/50 ... of each.
  const double henry = 80e-9, farad = 0.4e-12, ohm = 8;
  const double omega = 1 / std::sqrt(henry * farad), hz = omega / two_pi;
  const MatrixSamples samples = series_impedance(band(0.7 * hz, 1.4 * hz, 151), ohm, henry, farad);
  const RationalModel model = fit_rational_model(samples, {1e-10, 20});
  const auto found = find_resonances(model, 0.7 * hz, 1.4 * hz, {0, 1});
  REQUIRE(found.size() == 1);
  CHECK(found[0].hz == Approx(hz).epsilon(1e-8));
  CHECK(found[0].loaded_q == Approx(omega * henry / (ohm + 100)).epsilon(1e-8));
  CHECK(found[0].bandwidth_hz == Approx((ohm + 100) / (two_pi * henry)).epsilon(1e-8));
  CHECK(found[0].external_q[0] == Approx(omega * henry / 50).epsilon(1e-7));
  CHECK(found[0].external_q[1] == Approx(omega * henry / 50).epsilon(1e-7));
  CHECK(found[0].unloaded_q == Approx(omega * henry / ohm).epsilon(1e-6));
  const MatrixSamples lossless = series_impedance(samples.frequency_hz, 0, henry, farad);
  const auto free = find_resonances(fit_rational_model(lossless, {1e-6, 20}), 0.7 * hz, 1.4 * hz, {0, 1});
  REQUIRE(free.size() == 1);
  CHECK(free[0].loaded_q == Approx(omega * henry / 100).epsilon(1e-5));
  CHECK(free[0].unloaded_q > 1e3 * free[0].loaded_q);
}

TEST_CASE("A resonance of Q 100,000 is found from few samples within it", "[rational]") {
  const RationalModel truth = make_model({{10e9, 1e5}}, 1.5);
  std::vector<double> hz = band(9.9e9, 10.1e9, 21);
  for (const double offset : {-2e5, -5e4, 3e4, 9e4, 4e5}) hz.push_back(10e9 + offset);
  std::sort(hz.begin(), hz.end());
  const auto model = fit_rational_model(sample(truth, hz), {1e-7, 20});
  const auto found = find_resonances(model, 9.9e9, 10.1e9, {0, 1});
  REQUIRE(found.size() == 1);
  CHECK(found[0].hz == Approx(10e9).epsilon(1e-9));
  CHECK(found[0].loaded_q == Approx(1e5).epsilon(1e-4));
}

TEST_CASE("Noise stops the growth of a model and stays its error", "[rational]") {
  const RationalModel truth = make_model({{1e9, 20}, {1.7e9, 60}}, 0.7);
  MatrixSamples samples = sample(truth, band(0.5e9, 2.5e9, 201));
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 1e-3);
  for (Complex& value : samples.values) value += Complex(noise(random), noise(random));
  const RationalModel model = fit_rational_model(samples, {1e-6, 60});
  CHECK(model.poles.size() < 30);
  CHECK(model.error < 8e-3);
  CHECK(model.rms_error > 1e-3);
  CHECK(model.rms_error < 2e-3);
  for (const Complex pole : model.poles) CHECK(pole.real() < 0);
  for (const double hz : band(0.5e9, 2.5e9, 1234)) {
    const auto wanted = truth.at({0, two_pi * hz}), found = model.at({0, two_pi * hz});
    for (std::size_t e = 0; e < 4; ++e) CHECK(std::abs(wanted[e] - found[e]) < 8e-3);
  }
}

TEST_CASE("S that does not depend on the frequency is a constant", "[rational]") {
  const double transmitted = GENERATE(0.6, 0.0);
  const RationalModel truth{2, 2, {}, {}, {0, transmitted, transmitted, 0}};
  const MatrixSamples samples = sample(truth, band(2e9, 10e9, 41));
  RationalModel model = fit_rational_model(samples, {1e-3, 40});
  CHECK(model.error < 1e-9);
  CHECK(enforce_passivity(model, samples, 1e-4).change < 1e-9);
  for (const double hz : {0.0, 1e9, 20e9}) CHECK(std::abs(model.at({0, two_pi * hz})[1] - transmitted) < 1e-6);
}

TEST_CASE("The largest singular value is that of a closed form", "[rational]") {
  // One port: D + R/(s - p) + its conjugate, with R/|Re p| = 1.3 at a Q of 1e4: |S| at resonance is |D + R/|Re p||.
  const double omega = two_pi * 5e9, decay = omega / 2e4;
  RationalModel model{1, 1, {{-decay, omega}, {-decay, -omega}}, {1.3 * decay, 1.3 * decay}, {-0.1}};
  CHECK(largest_singular_value(model) == Approx(1.2).epsilon(1e-4));
  model.constant[0] = 1.25;  // then at resonance 2.55; with the residue turned round the constant is the most
  CHECK(largest_singular_value(model) == Approx(2.55).epsilon(1e-4));
  for (Complex& residue : model.residues) residue = -residue;
  CHECK(largest_singular_value(model) == Approx(1.25).epsilon(1e-4));
}

TEST_CASE("A model that is not passive becomes so at all frequencies and changes little in its band", "[rational]") {
  const double excess = GENERATE(1.0005, 1.01, 1.2);
  // Lossless but for the factor; the reflection of a series L C.
  MatrixSamples samples = series_impedance(band(0.7e9, 1.4e9, 101), 0, 80e-9, 0.3e-12);
  for (Complex& value : samples.values) value *= excess;
  RationalModel model = fit_rational_model(samples, {1e-8, 20});
  REQUIRE(model.error < 1e-8);
  const RationalModel before = model;
  const PassivityReport report = enforce_passivity(model, samples, 1e-4);
  CHECK(report.largest_before == Approx(excess).epsilon(1e-5));
  CHECK(report.largest_after <= 1);
  CHECK(report.change < 2 * (excess - 1));
  CHECK(model.error == Approx(report.change).margin(2e-8));
  double most = 0;
  for (int k = -400; k <= 400; ++k)
    most = std::max(most, largest_of(model.at({0, two_pi * 1e9 * std::pow(10, k / 80.0)})));
  for (const double hz : band(0.9e9, 1.1e9, 5000)) most = std::max(most, largest_of(model.at({0, two_pi * hz})));
  most = std::max(most, largest_of({model.constant[0], model.constant[1], model.constant[2], model.constant[3]}));
  CHECK(most <= 1);
}

TEST_CASE("A model that exceeds one beyond its band alone hardly changes within", "[rational]") {
  // Two resonances in the band, and one at 3.5 GHz with a peak of 1.3.
  RationalModel model = make_model({{1e9, 20}, {1.7e9, 60}}, 0.25);
  const double omega = two_pi * 3.5e9, decay = omega / 80;
  for (const double side : {1.0, -1.0}) {
    model.poles.emplace_back(-decay, side * omega);
    for (const double r : {1.2, 0.3, 0.3, -0.2}) model.residues.emplace_back(r * decay);
  }
  const MatrixSamples samples = sample(model, band(0.8e9, 2e9, 121));
  RationalModel passive = model;
  const PassivityReport report = enforce_passivity(passive, samples, 1e-4);
  CHECK(report.largest_before > 1.2);
  CHECK(report.largest_after <= 1);
  CHECK(report.change < 0.01);
  double most = 0;
  for (const double hz : band(0, 20e9, 40001)) most = std::max(most, largest_of(passive.at({0, two_pi * hz})));
  CHECK(most <= 1);
  CHECK(most > 0.99);
}
