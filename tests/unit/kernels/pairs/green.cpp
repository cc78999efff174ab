#include "kernels/pairs/green.hpp"

#include <cmath>
#include <complex>
#include <cstring>

#include "catch.hpp"

using namespace tetrawave::kernels;
using Complex = std::complex<double>;

namespace {

struct Lane {
  using Number = double;
  using Scalar = double;
  static constexpr int pairs_in_flight = 2;
  static double load(const double* array, int /*rows*/, int row) { return array[row]; }
  static void store(double* array, int /*rows*/, int row, double value) { array[row] = value; }
  static double inverse_root(double a) { return 1 / std::sqrt(a); }
  static Phase<Lane> phase(double rest) { return phase_of_rest<Lane>(rest); }
  static std::uint64_t bits(double value) {
    std::uint64_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
  }
  static double from_bits(std::uint64_t word) {
    double value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

using Radiation = BoundaryRadiation<double, 1>;

/// A V + B V or A V - B V, by the definition: A V = a V + t (d.V) d, B V = b d x V.
std::array<Complex, 3> radiated(const std::array<double, 3>& d, const std::array<Complex, 3>& v, double sign) {
  const double rho = std::hypot(d[0], d[1], d[2]);
  const Complex g = std::exp(Complex(0, -rho)) / rho, b = (Complex(0, 1) / rho + 1 / (rho * rho)) * g, a = g - b,
                t = (2.0 * b - a) / (rho * rho);
  const Complex along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
  std::array<Complex, 3> result;
  for (std::size_t x = 0; x < 3; ++x) {
    const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
    result[x] = a * v[x] + t * along * d[x] + sign * b * (d[y] * v[z] - d[z] * v[y]);
  }
  return result;
}

}  // namespace

TEST_CASE("sums over pairs are the fields of dipoles as the tensors of Green's function give them") {
  const double point[9] = {0.4, -1.1, 2.0, 0.6, 0.8, 0, -0.8, 0.6, 0};  // k r, e1, e2
  constexpr int sources = 5;
  std::vector<double> numbers;
  for (int i = 0; i < sources * Radiation::source_size(1); ++i) numbers.push_back(3 * std::sin(1 + 1.3 * i));
  double sums[4] = {};
  Radiation{point, numbers.data(), sources, Radiation::source_size(1), 0, sums}.run(Lane());
  Complex plus = 0, minus = 0;
  for (int s = 0; s < sources; ++s) {
    const double* place = numbers.data() + s * Radiation::source_size(1);
    const std::array<double, 3> d{point[0] - place[0], point[1] - place[1], point[2] - place[2]};
    std::array<Complex, 3> w_plus, w_minus;
    for (std::size_t x = 0; x < 3; ++x) {
      w_plus[x] = {place[3 + 2 * x], place[4 + 2 * x]};
      w_minus[x] = {place[9 + 2 * x], place[10 + 2 * x]};
    }
    const auto f_plus = radiated(d, w_plus, 1), f_minus = radiated(d, w_minus, -1);
    for (std::size_t x = 0; x < 3; ++x) {
      plus += Complex(point[3 + x], point[6 + x]) * f_plus[x];
      minus += Complex(point[3 + x], -point[6 + x]) * f_minus[x];
    }
  }
  CHECK(std::abs(Complex(sums[0], sums[1]) - plus) < 1e-12 * std::abs(plus));
  CHECK(std::abs(Complex(sums[2], sums[3]) - minus) < 1e-12 * std::abs(minus));
}

TEST_CASE("far away a W+ has nothing of the wave that turns the other way") {
  const double far = 1e6;
  const double point[9] = {far, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<double> source(static_cast<std::size_t>(Radiation::source_size(1)), 0);
  source[3] = 5;      // W+ along the line of sight, which radiates nothing
  source[3 + 2] = 1;  // and across
  double sums[4] = {};
  Radiation{point, source.data(), 1, Radiation::source_size(1), 0, sums}.run(Lane());
  // (e1 + j e2) . (A + B) y = a + j b d, which tends to G (1 - 1): the wave that B sends along x cancels that of A
  CHECK(std::abs(Complex(sums[0], sums[1])) < 1e-11);
}
