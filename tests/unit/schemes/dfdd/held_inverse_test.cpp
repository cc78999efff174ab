// What DFDD-ELD holds of K^-1 (schemes/dfdd/held_inverse.hpp), and its series in full-3 (schemes/dfdd/curl_series.hpp),
// against solutions with K itself.
#include "schemes/dfdd/held_inverse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "schemes/dfdd/update.hpp"

using namespace tetrawave;
using namespace tetrawave::kernels;

namespace {

template <class S, bool on_gpu = false>
struct OneElement {
  using Number = S;
  static constexpr bool holds_jumps = !on_gpu;
  [[nodiscard]] std::uint64_t bits(double x) const { return std::bit_cast<std::uint64_t>(x); }
  [[nodiscard]] double from_bits(std::uint64_t x) const { return std::bit_cast<double>(x); }
  [[nodiscard]] S inverse_root(S x) const { return 1 / std::sqrt(x); }
  [[nodiscard]] S larger(S x, S y) const { return std::max(x, y); }
  template <class N>
  [[nodiscard]] N positive(N x) const {
    return x > 0 ? N(1) : N(0);
  }
  template <class N>
  [[nodiscard]] bool some(N x) const {
    return x != 0;
  }
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

template <class Basis, class S>
using Dofs = std::array<S, static_cast<std::size_t>(Basis::dofs)>;

template <class Basis, class S>
Dofs<Basis, S> some_field() {
  Dofs<Basis, S> u{};
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<S>(std::sin(1 + 7 * static_cast<double>(i)));
  return u;
}

/// M^-1 C^T K^-1 C u by K itself.
template <class Basis, class S>
Dofs<Basis, S> by_elimination(const std::array<S, 6>& q, const std::array<S, 6>& p, S stiffness,
                              const Dofs<Basis, S>& u) {
  constexpr int m = 3 * Basis::curl_modes;
  const MassInverse<Basis, S, OneElement<S>> mass(q.data());
  S k[m * (m + 1) / 2];
  make_curl_matrix<Basis, S, OneElement<S>>(mass, p.data(), stiffness, k);
  S f[m];
  Basis::template curl_components<S>(u.data(), f);
  const std::vector<long double> solution =
      solve({std::begin(k), std::end(k)}, std::vector<long double>(std::begin(f), std::end(f)));
  S l[m];
  for (int i = 0; i < m; ++i) l[i] = static_cast<S>(solution[static_cast<std::size_t>(i)]);
  S back[Basis::dofs];
  Basis::template curl_transposed<S>(l, back);
  Dofs<Basis, S> change{};
  mass.template apply<S>(back, change.data());
  return change;
}

/// The same by what is held of K^-1.
template <class Basis, class S>
Dofs<Basis, S> by_held_inverse(const std::array<S, 6>& q, const std::array<S, 6>& p, S stiffness,
                               const Dofs<Basis, S>& u) {
  using Lane = OneElement<S>;
  using Held = HeldInverse<Basis, S>;
  constexpr int m = 3 * Basis::curl_modes;
  const Lane lane;
  const MassInverse<Basis, S, Lane> mass(q.data());
  S k[m * (m + 1) / 2];
  make_curl_matrix<Basis, S, Lane>(mass, p.data(), stiffness, k);
  invert_packed<m>(k);
  std::array<S, Held::rows> held{};
  Held::make(lane, k, [&](int row, S number) { held.at(static_cast<std::size_t>(row)) = number; });
  S part[Held::size];
  S answer[Held::size];
  S back[Basis::dofs];
  Basis::template independent_curl<S>(u.data(), part);
  Held::apply(
      lane, [&](int row) { return held.at(static_cast<std::size_t>(row)); }, part, answer);
  Basis::template independent_curl_transposed<S>(answer, back);
  Dofs<Basis, S> change{};
  mass.template apply<S>(back, change.data());
  return change;
}

/// The same by the series of full-3.
template <bool on_gpu, class S>
Dofs<Full3, S> by_series(const std::array<S, 6>& q, const std::array<S, 6>& p, S stiffness, const Dofs<Full3, S>& u) {
  using Lane = OneElement<S, on_gpu>;
  using Series = CurlSeries<SeriesFull3, S, Lane>;
  const Lane lane;
  const Series series(q.data(), p.data(), stiffness, Series::ratio_of(lane, q.data(), p.data(), stiffness));
  LocalNumbers<Series::size, S> g;
  find_low_curl<SeriesFull3, S>(u.data(), g.numbers);
  multiply_vectors<Series::modes>(series.p, g.numbers);
  S h[Series::size];
  series.solve(lane, g, 0, h);
  S w[Full3::dofs];
  find_transposed_curl<SeriesFull3, S>(h, w);
  Dofs<Full3, S> change{};
  to_change<SeriesFull3, S>(q.data(), w, change.data());
  return change;
}

/// The largest difference of two fields, relative to the largest number of the second.
template <class Field>
double difference(const Field& found, const Field& expected) {
  double most = 0;
  double wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(expected[i])));
    wrong = std::max(wrong, std::abs(static_cast<double>(found[i] - expected[i])));
  }
  return wrong / most;
}

template <class S>
double error_held(const std::array<S, 6>& q, S stiffness) {
  const auto u = some_field<Mixed3, S>();
  return difference(by_held_inverse<Mixed3>(q, q, stiffness, u), by_elimination<Mixed3>(q, q, stiffness, u));
}

/// With dt^2/4 times the largest eigenvalue of the curl's operator.
template <bool on_gpu, class S>
double error_of_series(const std::array<S, 6>& q, const std::array<S, 6>& p, S largest) {
  using Series = CurlSeries<SeriesFull3, S, OneElement<S>>;
  const S ratio = Series::ratio_of({}, q.data(), p.data(), S(1));
  const S stiffness = S(4) * ratio / ((S(1) - ratio) * (S(1) - ratio)) / largest;
  const auto u = some_field<Full3, S>();
  return difference(by_series<on_gpu>(q, p, stiffness, u), by_elimination<Full3>(q, p, stiffness, u));
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
    CHECK(error_held(metric<double>(.5, .3, .8), stiffness) < 1e-12);
    CHECK(error_held(metric<double>(.45, .3, .05), stiffness) < 1e-11);
    CHECK(error_held(metric<float>(.5, .3, .8), static_cast<float>(stiffness)) < 1e-4);
  }
}

TEST_CASE("the series of full-3 gives what a solution with K gives") {
  const auto regular = metric<double>(.5, .3, .8);
  const auto other = metric<double>(.2, .6, .5);  // of a material with axes
  const auto flat = metric<double>(.45, .3, .05);
  for (const double largest : {.01, .4, 3., 20.}) {
    CAPTURE(largest);
    const double limit = largest < 1 ? 1e-13 : largest < 10 ? 1e-12 : 1e-11;
    for (const auto& [q, p] : {std::pair(regular, regular), std::pair(flat, flat), std::pair(regular, other)}) {
      CHECK(error_of_series<false>(q, p, largest) < 1e-13);
      CHECK(error_of_series<true>(q, p, largest) < limit);
    }
    CHECK(error_of_series<false>(metric<float>(.5, .3, .8), metric<float>(.2, .6, .5), static_cast<float>(largest)) <
          5e-6);
  }
}
