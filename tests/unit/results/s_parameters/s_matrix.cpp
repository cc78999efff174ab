#include "results/s_parameters/s_matrix.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::results;
using tetrawave_tests::Approx;
using tetrawave_tests::ContainsSubstring;
using Complex = std::complex<double>;

namespace {

std::vector<PortModel> lines(const std::vector<double>& ohms) {
  std::vector<PortModel> ports;
  for (const double z : ohms) {
    PortModel port;
    port.name = "p" + std::to_string(ports.size() + 1);
    port.impedance_ohm = z;
    ports.push_back(port);
  }
  return ports;
}

SParameters matrix(std::size_t ports, const std::vector<Complex>& values) {
  SParameters s;
  for (std::size_t i = 0; i < ports; ++i) s.ports.push_back("p" + std::to_string(i + 1));
  s.driven.assign(ports, true);
  s.frequency_hz = {10e9};
  s.values = values;
  return s;
}

}  // namespace

TEST_CASE("a load keeps its impedance whatever its reflection is referred to") {
  const Complex load{30, 20};
  const auto gamma = [&](double z) { return (load - z) / (load + z); };
  SParameters s = matrix(1, {gamma(75)});
  renormalise(s, lines({75}), {50});
  CHECK(std::abs(s.values[0] - gamma(50)) < 1e-14);
}

TEST_CASE("a series resistor between different lines is what circuit theory says at 50 ohm") {
  // V1 - V2 = R I1, I1 = -I2
  const double r = 20, z1 = 75, z2 = 30;
  const auto s_of = [&](double a, double b) {
    const double sum = r + a + b;
    return std::vector<Complex>{(r + b - a) / sum, 2 * std::sqrt(a * b) / sum, 2 * std::sqrt(a * b) / sum,
                                (r + a - b) / sum};
  };
  SParameters s = matrix(2, s_of(z1, z2));
  renormalise(s, lines({z1, z2}), {50, 100});
  const auto wanted = s_of(50, 100);
  for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(s.values[k] - wanted[k]) < 1e-14);
}

TEST_CASE("reference planes move into the structure along the line, and along the guide with its own wavelength") {
  auto ports = lines({50, 50});
  ports[0].refractive_index = 1.5;
  ports[0].reference_plane_m = 7e-3;
  ports[1].kind = PortModel::Kind::waveguide;
  ports[1].cutoff_hz = 6.557140e9;
  ports[1].reference_plane_m = -2e-3;
  const double beta1 = 1.5 * 2 * pi * 10e9 / c0_m_per_s;
  constexpr double beta2 = 158.23826;  // WR-90 at 10 GHz
  SParameters s = matrix(2, {std::polar(0.3, -2 * beta1 * 7e-3), std::polar(0.5, -beta1 * 7e-3), Complex(0.5),
                             std::polar(0.2, 2 * beta2 * 2e-3)});
  shift_reference_planes(s, ports);
  CHECK(std::abs(s.values[0] - 0.3) < 1e-12);
  CHECK(std::abs(s.values[1] - std::polar(0.5, -beta2 * 2e-3)) < 1e-6);
  CHECK(std::abs(s.values[3] - 0.2) < 1e-6);
}

TEST_CASE("the impedance of a mode is real above its cutoff, imaginary below, and finite at it") {
  PortModel port;
  port.kind = PortModel::Kind::waveguide;
  port.impedance_ohm = eta0_ohm;
  port.cutoff_hz = 6.557140e9;
  CHECK(std::abs(port.reference(10e9) - 498.974) < 1e-3);
  CHECK(std::abs(port.propagation(5e9) - 88.9095) < 1e-3);
  CHECK(port.reference(5e9).imag() > 0);  // inductive
  CHECK(std::isfinite(std::abs(port.reference(6.557140e9))));
  port.tm = true;
  CHECK(std::abs(port.impedance_ratio(10e9) * 498.974 / eta0_ohm - 1.0) < 1e-6);
  CHECK(port.reference(5e9).imag() < 0);
}

TEST_CASE("balance, passivity and reciprocity are told, and what cannot be is warned of") {
  SParameters s = matrix(2, {{0.6, 0}, {0.8, 0}, {0, 0.8}, {0.1, 0}});
  judge(s, {true}, "refine the mesh");
  REQUIRE(s.notes.size() == 3);
  CHECK_THAT(s.notes[0], ContainsSubstring("power of port 'p1': the sum of |S|^2 is 1.00000 at 10 GHz"));
  CHECK_THAT(s.notes[2], ContainsSubstring("|Sij - Sji| is at most 1.1, between 'p1' and 'p2' at 10 GHz"));
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("not reciprocal"));
  s = matrix(1, {{1.01, 0}});
  judge(s, {true}, "refine the mesh");
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0], ContainsSubstring("with port 'p1' driven the sum of |S|^2 exceeds 1 by 0.02 at 10 GHz"));
  s = matrix(1, {{1.01, 0}});
  judge(s, {false}, "refine the mesh");
  CHECK(s.notes.empty());
  CHECK(s.warnings.empty());
}

TEST_CASE("power that a closed lossless structure lacks is warned of with its frequency and the likely cause") {
  SParameters s = matrix(1, {{1, 0}});
  s.frequency_hz = {9e9, 10e9};
  s.values = {{1, 0}, {0.99, 0}};
  judge(s, {true, true}, "refine the mesh");
  CHECK(s.warnings.empty());
  judge(s, {true, true}, "refine the mesh", {true, false, "ports absorb"});  // it radiates
  CHECK(s.warnings.empty());
  judge(s, {true, false}, "refine the mesh", {true, true, "ports absorb"});
  CHECK(s.warnings.empty());
  judge(s, {true, true}, "refine the mesh", {true, true, "ports absorb"});
  REQUIRE(s.warnings.size() == 1);
  CHECK_THAT(s.warnings[0],
             ContainsSubstring("with port 'p1' driven the sum of |S|^2 is 0.9801 at 10 GHz (limit 0.99)"));
  CHECK_THAT(s.warnings[0], ContainsSubstring("likely cause: ports absorb"));
  s.values[0] = {1.01, 0};
  judge(s, {true, false}, "refine the mesh", {true, true, "ports absorb"});
  REQUIRE(s.warnings.size() == 2);
  CHECK_THAT(s.warnings[1], ContainsSubstring("exceeds 1 by 0.02 at 9 GHz"));
  CHECK_THAT(s.warnings[1], ContainsSubstring("likely cause: ports absorb"));
}
