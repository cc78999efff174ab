#include "results/s_parameters/s_parameters.hpp"

#include <cmath>
#include <functional>

#include "base/constants.hpp"
#include "catch.hpp"
#include "results/history/spectrum.hpp"

using namespace tetrawave;
using namespace tetrawave::results;
using tetrawave_tests::Approx;
using tetrawave_tests::ContainsSubstring;
using Complex = std::complex<double>;

namespace {

constexpr double dt = 2e-12;
constexpr std::size_t rows = 4000;

double pulse(double t) {
  const double s = (t - 1.5e-9) / 0.1e-9;
  return std::sin(2 * pi * 4e9 * (t - 1.5e-9)) * std::exp(-s * s / 2);
}

std::vector<double> history(const std::function<double(double)>& w) {
  std::vector<double> values(rows);
  for (std::size_t k = 0; k < rows; ++k) values[k] = w(static_cast<double>(k) * dt);
  return values;
}

SParameterRequest band(double start, double stop, std::int64_t points) { return {start, stop, points, false, {}}; }

std::vector<PortModel> two_ports() {
  std::vector<PortModel> ports(2);
  ports[0].name = "p1";
  ports[1].name = "p2";
  return ports;
}

// Port 1 drives a line with delay tau: 0.25 comes back after 2 ns, -0.9 goes through.
constexpr double tau = 0.31e-9;
DrivenMarch drive_first() {
  const std::vector<double> silence(rows, 0.0);
  return {0,
          {{history(pulse), history([](double t) { return 0.25 * pulse(t - 2e-9); })},
           {silence, history([](double t) { return -0.9 * pulse(t - tau); })}},
          std::nullopt};
}

}  // namespace

TEST_CASE("a delay tau is exp(-j omega tau), a factor is a factor") {
  const SParameters s = compute_s_parameters(band(2e9, 6e9, 41), two_ports(), dt, {drive_first()});
  REQUIRE(s.frequency_hz.size() == 41);
  for (std::size_t f = 0; f < 41; ++f) {
    const double w = 2 * pi * s.frequency_hz[f];
    CHECK(std::abs(s.at(f, 0, 0) - 0.25 * std::polar(1.0, -w * 2e-9)) < 1e-9);
    CHECK(std::abs(s.at(f, 1, 0) + 0.9 * std::polar(1.0, -w * tau)) < 1e-9);
  }
  CHECK(s.warnings.empty());
}

TEST_CASE("where what is sent is known, it is a, whatever the traces at the port have") {
  for (const bool guide : {false, true}) {
    CAPTURE(guide);
    std::vector<PortModel> ports = two_ports();
    for (PortModel& port : ports) {
      port.kind = guide ? PortModel::Kind::waveguide : PortModel::Kind::line;
      port.cutoff_hz = guide ? 1.5e9 : 0;
    }
    DrivenMarch march = drive_first();
    march.ports[0].sent = march.ports[0].incident;
    march.ports[1].sent = march.ports[1].incident;
    march.ports[0].incident = history([](double t) { return 1.02 * pulse(t) + 0.1 * pulse(t - 1e-9); });
    march.ports[1].incident = history([](double t) { return 0.03 * pulse(t - tau); });
    const SParameters s = compute_s_parameters(band(2e9, 6e9, 41), ports, dt, {march});
    for (std::size_t f = 0; f < 41; ++f) {
      const double w = 2 * pi * s.frequency_hz[f];
      const double ratio = guide ? 1 / std::sqrt(1 - std::pow(1.5e9 / s.frequency_hz[f], 2)) : 1;
      const double through = 2 * std::sqrt(ratio) / (ratio + 1), back = (ratio - 1) / (ratio + 1);
      CHECK(std::abs(s.at(f, 0, 0) - (through * 0.25 * std::polar(1.0, -w * 2e-9) - back)) < 1e-9);
      CHECK(std::abs(s.at(f, 1, 0) + through * 0.9 * std::polar(1.0, -w * tau)) < 1e-9);
    }
  }
}

TEST_CASE("the column of a port never driven is NaN, that of a driven one is filled by its own march") {
  SParameters s = compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {drive_first()});
  CHECK(s.driven == std::vector<bool>{true, false});
  CHECK(std::isnan(s.at(1, 0, 1).real()));
  CHECK(std::isnan(s.at(1, 1, 1).imag()));
  DrivenMarch second = drive_first();
  std::swap(second.ports[0], second.ports[1]);
  second.driven_port = 1;
  s = compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {drive_first(), second});
  CHECK(s.driven == std::vector<bool>{true, true});
  for (std::size_t f = 0; f < 3; ++f) {
    CHECK(s.at(f, 0, 1) == s.at(f, 1, 0));
    CHECK(s.at(f, 1, 1) == s.at(f, 0, 0));
  }
}

TEST_CASE("a Fourier sum over a long history keeps its digits") {
  // A complex exponential on a bin of the sum adds up to its length, on any other bin to nothing.
  const std::size_t length = 200000;
  std::vector<double> tone(length);
  for (std::size_t k = 0; k < length; ++k) tone[k] = std::cos(2 * pi * static_cast<double>(k * 777 % length) / length);
  const double bin = 1 / (length * 1e-12);
  const auto sums = fourier_sums({&tone, &tone}, 1e-12, {777 * bin, 778 * bin, 0});
  CHECK(std::abs(sums[0][0] / (0.5e-12 * length) - 1.0) < 1e-10);
  CHECK(std::abs(sums[0][1] / (0.5e-12 * length)) < 1e-10);
  CHECK(std::abs(sums[0][2] / (0.5e-12 * length)) < 1e-10);
  CHECK(sums[1][0] == sums[0][0]);
}

TEST_CASE("the peak of a spectrum is found wherever it lies") {
  const auto values = history(pulse);
  const double peak = std::sqrt(2 * pi) * 0.1e-9 / 2;  // of a modulated Gaussian, negative frequencies far away
  CHECK(spectral_peak(values, dt) == Approx(peak).epsilon(2e-3));
  CHECK(spectral_peak({}, dt) == 0);
}

TEST_CASE("frequencies include both ends, and one point is the start") {
  const auto frequencies = frequencies_of(band(0.1e9, 10e9, 496));
  CHECK(frequencies.size() == 496);
  CHECK(frequencies.front() == 0.1e9);
  CHECK(frequencies.back() == 10e9);
  CHECK(frequencies[100] == Approx(2.1e9).epsilon(1e-14));
  CHECK(frequencies_of(band(3e9, 9e9, 1)) == std::vector<double>{3e9});
  CHECK(frequencies_of(band(0.2e9, 5e9, 4)) == std::vector<double>{0.2e9, 1.8e9, 3.4e9, 5e9});
}

TEST_CASE("a band where the drive is below -40 dB of its peak is named") {
  // Spectrum exp(-(2 pi (f - 4 GHz) 0.1 ns)^2/2): -40 dB at 4 +- 4.8303 GHz; the grid is 10 MHz.
  const SParameters s = compute_s_parameters(band(2e9, 12e9, 1001), two_ports(), dt, {drive_first()});
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("from 8.84 GHz to 12 GHz"));
  CHECK_THAT(s.warnings[0], ContainsSubstring("port 'p1'"));
  CHECK(std::isfinite(s.at(1000, 0, 0).real()));
}

TEST_CASE("a drive of zeros leaves its column NaN and says so") {
  DrivenMarch march = drive_first();
  march.ports[0].incident.assign(rows, 0.0);
  const SParameters s = compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {march});
  CHECK(std::isnan(s.at(0, 0, 0).real()));
  CHECK(s.driven == std::vector<bool>{false, false});
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("port 'p1' is driven by zeros only"));
}

TEST_CASE("a march that ends with energy left is warned of, with the time needed") {
  // From 1 at 2 ns to 1e-2 at 7.998 ns: 1e-4 at about 14 ns.
  DrivenMarch march = drive_first();
  march.energy = EnergyTail{5e-12, 2e-9, 5e-14};
  SParameters s = compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {march});
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("from 2 GHz to 6 GHz"));
  CHECK_THAT(s.warnings[0], ContainsSubstring("0.01 of the largest energy is left"));
  CHECK_THAT(s.warnings[0], ContainsSubstring("about 14 ns are needed instead of 8 ns"));

  march.energy = EnergyTail{5e-12, 7.998e-9, 5e-12};
  s = compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {march});
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("cannot be estimated"));

  march.energy = EnergyTail{5e-12, 2e-9, 4.9e-16};
  CHECK(compute_s_parameters(band(2e9, 6e9, 3), two_ports(), dt, {march}).warnings.empty());
}
