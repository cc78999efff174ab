// Dense matrices of the search for the step of DGTD-Upwind.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "schemes/upwind/spectrum.hpp"

using namespace tetrawave::march;
using tetrawave_tests::Approx;

namespace {

/// Eigenvalues -0.4 +- 1.4j of the largest modulus and three smaller ones, in a basis that is not orthogonal.
SmallMatrix with_complex_pair() {
  SmallMatrix a(5);
  a(0, 0) = a(1, 1) = -0.4;
  a(0, 1) = 1.3;
  a(1, 0) = -1.3;
  a(2, 2) = -1.1;
  a(3, 3) = -0.3;
  a(4, 4) = -0.9;
  for (std::size_t i = 0; i < 4; ++i) a(i, i + 1) += 0.2;
  return a;
}

/// The columns of the basis of a space.
std::vector<std::vector<double>> columns(const LeadingSpace& space, std::size_t n) {
  std::vector<std::vector<double>> all;
  for (std::size_t k = 0; k < space.matrix.size; ++k) {
    std::vector<double> x(n, 0.0);
    x[k] = 1;
    for (std::size_t i = space.factors.size(); i-- > 0;) {
      double along = 0;
      for (std::size_t j = 0; j < n; ++j) along += space.reflectors[i][j] * x[j];
      for (std::size_t j = 0; j < n; ++j) x[j] -= space.factors[i] * along * space.reflectors[i][j];
    }
    all.push_back(std::move(x));
  }
  return all;
}

/// Largest entry of A V - V M, for V with orthonormal columns.
double defect(const SmallMatrix& a, const LeadingSpace& space) {
  const auto v = columns(space, a.size);
  double largest = 0;
  for (std::size_t k = 0; k < v.size(); ++k)
    for (std::size_t i = 0; i < a.size; ++i) {
      double x = 0;
      for (std::size_t j = 0; j < a.size; ++j) x += a(i, j) * v[k][j];
      for (std::size_t j = 0; j < v.size(); ++j) x -= v[j][i] * space.matrix(j, k);
      largest = std::max(largest, std::abs(x));
    }
  return largest;
}

}  // namespace

TEST_CASE("leading spaces are invariant, have orthonormal bases and do not part complex pairs") {
  const SmallMatrix a = with_complex_pair();
  Spectrum spectrum(a);
  spectrum.order_by_size();
  const std::array<std::size_t, 5> sizes{2, 2, 3, 4, 5};
  for (std::size_t count = 1; count <= 5; ++count) {
    const LeadingSpace space = spectrum.leading_space(count);
    INFO(count);
    CHECK(space.matrix.size == sizes[count - 1]);
    CHECK(defect(a, space) < 1e-14);
    const auto v = columns(space, 5);
    for (std::size_t i = 0; i < v.size(); ++i) {
      CHECK(space.last[i] == Approx(v[i][4]).margin(1e-14));
      for (std::size_t j = 0; j <= i; ++j)
        CHECK(std::inner_product(v[i].begin(), v[i].end(), v[j].begin(), i == j ? -1.0 : 0.0) ==
              Approx(0).margin(1e-14));
    }
  }
  CHECK(Spectrum(spectrum.leading_space(1).matrix).radius() == Approx(std::sqrt(0.16 + 1.5 * 1.3)));
}

TEST_CASE("the first mode of a spectrum is that of the largest shifted eigenvalue") {
  SmallMatrix a(3);  // eigenvalues -2 with (1, 0, 0), -1 with (1, 1, 0), 1.5 with (0, 0, 1)
  a(0, 0) = -2;
  a(0, 1) = 1;
  a(1, 1) = -1;
  a(2, 2) = 1.5;
  Spectrum spectrum(a);
  spectrum.order_by_size();
  CHECK(spectrum.last_of_first() < 1e-14);
  CHECK(spectrum.leading_space(1).matrix(0, 0) == Approx(-2));
  spectrum.order_by_size(1);
  CHECK(spectrum.last_of_first() == Approx(1));
  CHECK(spectrum.leading_space(1).matrix(0, 0) == Approx(1.5));
}

TEST_CASE("the step of LSERK54 is that of the eigenvalue that leaves its region first") {
  SmallMatrix a(4);  // +- 3j, and -8 and -1 in a basis that is not orthogonal
  a(0, 1) = 3;
  a(1, 0) = -3;
  a(2, 2) = -8;
  a(2, 3) = 5;
  a(3, 3) = -1;
  const auto factor = [](std::complex<double> z) {  // the fourth order's polynomial and the method's own fifth term
    return std::abs(1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0 + z * z * z * z * z / 200.0);
  };
  const double limit = Spectrum(a).runge_kutta_limit();
  CHECK(factor(-8 * 0.999 * limit) < 1);
  CHECK(factor(-8 * 1.001 * limit) > 1);
  CHECK(factor({0, 3 * limit}) < 1);
  CHECK(Spectrum(a).radius() == Approx(8));
  CHECK(Spectrum(a).radius(9) == Approx(std::hypot(9, 3)));
  Spectrum growing(a);
  growing.order_by_growth(1.001 * limit);
  CHECK(growing.leading_space(1).matrix(0, 0) == Approx(-8));
}
