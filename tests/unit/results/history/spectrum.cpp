// The band of a history and how often it has to be sampled.
#include "results/history/spectrum.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

namespace {

constexpr double dt_s = 1e-12;

std::vector<double> gaussian(double width_s, double carrier_hz, std::size_t samples = 4000) {
  std::vector<double> history;
  for (std::size_t n = 0; n < samples; ++n) {
    const double t = static_cast<double>(n) * dt_s - 7 * width_s;
    history.push_back(std::cos(2 * pi * carrier_hz * t) * std::exp(-t * t / (2 * width_s * width_s)));
  }
  return history;
}

}  // namespace

TEST_CASE("the band of a Gaussian pulse ends where the closed form does") {
  const double width_s = 40e-12;
  for (const double share : {1e-2, 1e-5, 1e-7})
    for (const double carrier_hz : {0.0, 20e9}) {
      const double expected = carrier_hz + std::sqrt(-2 * std::log(share)) / (2 * pi * width_s);
      const double found_hz = results::band_edge(gaussian(width_s, carrier_hz), dt_s, share).value();
      CHECK(found_hz >= expected);
      CHECK(found_hz < expected + 1e9);  // its grid
    }
}

TEST_CASE("a jump has no band, a narrow line is not overlooked, and silence has none") {
  CHECK(results::band_edge({0, 1, 1, 1, 1, 1}, dt_s, 1e-7).value() == Approx(0.5 / dt_s));
  auto history = gaussian(40e-12, 0);
  for (std::size_t n = 0; n < history.size(); ++n) {
    const double t = static_cast<double>(n) * dt_s;
    history[n] += 1e-3 * std::pow(std::sin(pi * t / 4e-9), 8) * std::sin(2 * pi * 171.3e9 * t);
  }
  CHECK(results::band_edge(history, dt_s, 1e-5).value() == Approx(171.3e9).epsilon(0.02));
  CHECK(results::band_edge(std::vector<double>(50, 0.0), dt_s, 1e-7).value() == 0);
}

TEST_CASE("what comes after the pulse costs nothing, and histories too long to look through have no answer") {
  auto history = gaussian(40e-12, 0);
  const double edge = results::band_edge(history, dt_s, 1e-5).value();
  history.resize((std::size_t{1} << 20) + 100, 0.0);
  CHECK(results::band_edge(history, dt_s, 1e-5).value() == edge);
  history.back() = 1;
  CHECK_FALSE(results::band_edge(history, dt_s, 1e-5).has_value());
}

TEST_CASE("nothing of the band is folded onto a wanted frequency, and nothing wanted onto another") {
  const double dt = 1e-12;
  CHECK(results::sampling_stride(30e9, 10e9, dt) == 16);
  CHECK(results::sampling_stride(60e9, 10e9, dt) == 8);
  CHECK(results::sampling_stride(200e9, 10e9, dt) == 4);
  CHECK(results::sampling_stride(10e9, 200e9, dt) == 2);
  CHECK(results::sampling_stride(500e9, 10e9, dt) == 1);
}
