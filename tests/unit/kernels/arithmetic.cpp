// Arithmetic that kernels share, in a lane of one number.
#include <cmath>
#include <cstring>
#include <vector>

#include "catch.hpp"
#include "kernels/half_turns.hpp"
#include "kernels/mass_inverse.hpp"

using namespace tetrawave::kernels;
using tetrawave_tests::Approx;

namespace {

template <class S, class Bits>
struct Words {
  using Number = S;
  static Bits bits(S value) {
    Bits word;
    std::memcpy(&word, &value, sizeof word);
    return word;
  }
  static S from_bits(Bits word) {
    S value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};
struct Double : Words<double, std::uint64_t> {
  using Scalar = double;
};
struct Single : Words<float, std::uint32_t> {
  using Scalar = float;
};

constexpr double half_turn = 3.14159265358979323846;

/// A positive definite matrix of size n, as a packed lower triangle.
template <int n>
std::vector<double> packed() {
  std::vector<double> a;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) a.push_back(i == j ? n + 1.0 : std::sin(1 + i + 3.0 * j));
  return a;
}

template <int n>
double residual_of_solution() {
  const std::vector<double> a = packed<n>();
  std::vector<double> factors = a, w, z(n);
  for (int i = 0; i < n; ++i) w.push_back(std::cos(2.0 * i));
  solve_packed<n>(factors.data(), 3.0, w.data(), z.data());
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = -3.0 * w[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) {
      const int high = std::max(i, j), low = std::min(i, j);
      sum += a[static_cast<std::size_t>(high * (high + 1) / 2 + low)] * z[static_cast<std::size_t>(j)];
    }
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

}  // namespace

TEST_CASE("cosine and sine of half turns are those of the library, in both precisions") {
  for (double x = -0.5; x <= 0.5; x += 1.0 / 1024) {
    const auto exact = phase_of_rest<Double>(x);
    CHECK(std::abs(exact.cosine - std::cos(half_turn * x)) < 1e-15);
    CHECK(std::abs(exact.sine - std::sin(half_turn * x)) < 1e-15);
    const auto rough = phase_of_rest<Single>(static_cast<float>(x));
    CHECK(std::abs(rough.cosine - std::cos(half_turn * x)) < 3e-7);
    CHECK(std::abs(rough.sine - std::sin(half_turn * x)) < 3e-7);
  }
}

TEST_CASE("whole half turns are taken off exactly, and odd ones turn the sign") {
  for (const double x : {0.25, 1.25, -3.3, 1e9 + 0.125, -7e12 - 0.25}) {
    const auto turns = whole_turns<Double>(x);
    const double rest = x - turns.whole;
    CHECK(std::abs(rest) <= 0.5);
    CHECK(turns.whole == std::nearbyint(x));
    const bool is_odd = std::fmod(std::abs(turns.whole), 2) == 1;
    CHECK(turned(Double(), 2.0, turns) == (is_odd ? -2.0 : 2.0));
  }
}

TEST_CASE("packed systems are solved, small ones straight and large ones in loops") {
  CHECK(residual_of_solution<3>() < 1e-13);
  CHECK(residual_of_solution<largest_straight>() < 1e-13);
  CHECK(residual_of_solution<largest_straight + 1>() < 1e-13);
  CHECK(residual_of_solution<30>() < 1e-12);
}

TEST_CASE("the adjugate of a symmetric matrix is its inverse times the determinant") {
  const double q[6] = {2, 0.3, -0.4, 3, 0.7, 1.5};  // 00 01 02 11 12 22
  double adjoint[6];
  const double det = adjugate(q, adjoint);
  const auto at = [](const double* m, int i, int j) {
    constexpr int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return m[place[i][j]];
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += at(q, i, k) * at(adjoint, k, j);
      CHECK(sum == Approx(i == j ? det : 0).margin(1e-14));
    }
  CHECK(reciprocal(4.0) == 0.25);
}
