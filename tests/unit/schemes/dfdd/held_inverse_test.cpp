// What DFDD-ELD holds of K^-1 (schemes/dfdd/held_inverse.hpp) against solutions with K itself.
#include "schemes/dfdd/held_inverse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "catch.hpp"
#include "schemes/dfdd/curl_system.hpp"

using namespace tetrawave;
using namespace tetrawave::kernels;

namespace {

template <class S>
struct OneElement {
  using Number = S;
  [[nodiscard]] std::uint64_t bits(double x) const { return std::bit_cast<std::uint64_t>(x); }
  [[nodiscard]] double from_bits(std::uint64_t x) const { return std::bit_cast<double>(x); }
  [[nodiscard]] S inverse_root(S x) const { return 1 / std::sqrt(x); }
};

/// x of A x = b, A a packed lower triangle, by Cholesky's method.
std::vector<long double> solve(std::vector<long double> a, std::vector<long double> b) {
  const std::size_t n = b.size();
  const auto at = [&a](std::size_t i, std::size_t j) -> long double& { return a[i * (i + 1) / 2 + j]; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
      at(i, j) = i == j ? std::sqrt(at(i, i)) : at(i, j) / at(j, j);
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
    b[i] /= at(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
  return b;
}

/// Six numbers t_a.t_b / |det J| of edges e1, e2, (x, y, height).
template <class S>
std::array<S, 6> metric(double x, double y, double height) {
  const double edge[3][3] = {{1, 0, 0}, {.3, .9, 0}, {x, y, height}};
  std::array<S, 6> q{};
  std::size_t pair = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b, ++pair) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += edge[a][i] * edge[b][i];
      q[pair] = static_cast<S>(sum / (.9 * height));
    }
  return q;
}

/// The difference of C^T K^-1 C u from what is held and from K, relative to the latter's largest number.
template <class Basis, class S>
double error_of(const std::array<S, 6>& q, S stiffness) {
  using Lane = OneElement<S>;
  using Held = HeldInverse<Basis, S>;
  constexpr int m = 3 * Basis::curl_modes;
  const Lane lane;
  S k[m * (m + 1) / 2];
  make_curl_matrix<Basis, S, Lane>(MassInverse<Basis, S, Lane>(q.data()), q.data(), stiffness, k);
  std::vector<long double> exact(std::begin(k), std::end(k));
  invert_packed<m>(k);
  std::array<S, Held::rows> held{};
  Held::make(lane, k, [&](int row, S number) { held.at(static_cast<std::size_t>(row)) = number; });

  S u[Basis::dofs];
  for (int i = 0; i < Basis::dofs; ++i) u[i] = static_cast<S>(std::sin(1 + 7 * i));
  S f[m];
  Basis::template curl_components<S>(u, f);
  const std::vector<long double> solution = solve(exact, std::vector<long double>(std::begin(f), std::end(f)));
  S l[m];
  for (int i = 0; i < m; ++i) l[i] = static_cast<S>(solution[static_cast<std::size_t>(i)]);
  S expected[Basis::dofs];
  Basis::template curl_transposed<S>(l, expected);

  S part[Held::size];
  S answer[Held::size];
  S found[Basis::dofs];
  Basis::template independent_curl<S>(u, part);
  Held::apply(
      lane, [&](int row) { return held.at(static_cast<std::size_t>(row)); }, part, answer);
  Basis::template independent_curl_transposed<S>(answer, found);
  double most = 0;
  double wrong = 0;
  for (int i = 0; i < Basis::dofs; ++i) {
    most = std::max(most, std::abs(static_cast<double>(expected[i])));
    wrong = std::max(wrong, std::abs(static_cast<double>(found[i] - expected[i])));
  }
  return wrong / most;
}

}  // namespace

TEST_CASE("four numbers of 48 bits come back from three words") {
  const OneElement<double> lane;
  const double most = FourIntegers::largest;
  for (const std::array<double, 4>& m : {std::array<double, 4>{most, -most, most, -most},
                                         {-most, most, -most, most},
                                         {0, 1, -1, 65536},
                                         {123456789012345, -98765432109876, 70368744177664, -70368744177663},
                                         {-1, 0, 0, -4294967296}}) {
    double word[3];
    double back[4];
    FourIntegers::pack(lane, m.data(), word);
    FourIntegers::unpack(lane, word, back);
    for (std::size_t i = 0; i < 4; ++i) CHECK(back[i] == m[i]);
  }
  const std::array<double, 4> between{.5 - 1e-9, -.5 + 1e-9, 7.25, -7.75};
  double word[3];
  double back[4];
  FourIntegers::pack(lane, between.data(), word);
  FourIntegers::unpack(lane, word, back);
  for (std::size_t i = 0; i < 4; ++i) CHECK(back[i] == std::round(between[i]));
}

TEST_CASE("the held inverse gives what a solution with K gives") {
  for (const double stiffness : {300., 3000.}) {
    const auto regular = metric<double>(.5, .3, .8);
    CHECK(error_of<Full3>(regular, stiffness) < 1e-12);
    CHECK(error_of<Mixed3>(regular, stiffness) < 1e-12);
    const auto flat = metric<double>(.45, .3, .05);
    CHECK(error_of<Full3>(flat, stiffness) < 3e-12);
    CHECK(error_of<Mixed3>(flat, stiffness) < 3e-12);
    const auto single = metric<float>(.5, .3, .8);
    CHECK(error_of<Full3>(single, static_cast<float>(stiffness)) < 1e-4);
    CHECK(error_of<Mixed3>(single, static_cast<float>(stiffness)) < 1e-4);
  }
}
