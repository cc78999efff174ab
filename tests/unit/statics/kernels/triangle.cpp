// Matrices of triangles against closed forms.
#include <array>
#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"
#include "statics/kernels/elements.hpp"
#include "statics/kernels/triangle.hpp"

using namespace tetrawave;
using namespace tetrawave::kernels;
using tetrawave_tests::Approx;

namespace {

/// A skewed triangle away from the axis, with nodes in the middle of its edges.
constexpr std::array<double, 12> place{0.3, 0.1, 1.1, 0.4, 0.5, 0.9, 0.7, 0.25, 0.8, 0.65, 0.4, 0.5};
constexpr std::array<std::int32_t, 6> ids{0, 1, 2, 3, 4, 5};

template <class T>
typename T::Corners make_corners() {
  TriangleView view;
  view.node = ids.data();
  view.coordinates = place.data();
  view.stride = 1;
  return typename T::Corners(view, 0);
}

template <class T>
std::array<double, T::entries> matrix_of(double k) {
  std::array<double, T::entries> matrix{};
  T::matrix(make_corners<T>(), k, matrix.data());
  return matrix;
}

/// u^T K u for the values of `field` at the nodes.
template <class T, class Field>
double energy_of(const Field& field) {
  const auto matrix = matrix_of<T>(1);
  const auto corners = make_corners<T>();
  double energy = 0;
  for (std::size_t i = 0; i < T::nodes; ++i)
    for (std::size_t j = 0; j < T::nodes; ++j)
      energy += field(corners.x[i], corners.y[i]) * matrix[i * T::nodes + j] * field(corners.x[j], corners.y[j]);
  return energy;
}

/// Integral of f over the triangle by a thousand subtriangles with three points each: exact for quadratics, and
/// independent of the rules in use.
template <class Function>
double integrate(const Function& f) {
  constexpr int n = 40;
  const double area = 0.5 * std::abs((1.1 - 0.3) * (0.9 - 0.1) - (0.5 - 0.3) * (0.4 - 0.1)) / (n * n);
  double sum = 0;
  const auto at = [&](double u, double v) {
    return f(0.3 + (1.1 - 0.3) * u + (0.5 - 0.3) * v, 0.1 + (0.4 - 0.1) * u + (0.9 - 0.1) * v);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n - i; ++j)
      for (const double turn : {1.0, -1.0}) {
        if (turn < 0 && j == n - i - 1) continue;
        const double u = (i + (turn > 0 ? 0. : 1.)) / n, v = (j + (turn > 0 ? 0. : 1.)) / n, h = turn / n;
        sum += area / 3 * (at(u + h / 2, v) + at(u, v + h / 2) + at(u + h / 2, v + h / 2));
      }
  return sum;
}

}  // namespace

TEST_CASE("a straight planar matrix is k (b b + c c)/(4 A)") {
  const auto matrix = matrix_of<Triangle<1, false>>(3.5);
  const std::array<double, 3> b{0.4 - 0.9, 0.9 - 0.1, 0.1 - 0.4}, c{0.5 - 1.1, 0.3 - 0.5, 1.1 - 0.3};
  const double area = 0.5 * (b[0] * c[1] - b[1] * c[0]);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(matrix[3 * i + j] == Approx(3.5 * (b[i] * b[j] + c[i] * c[j]) / (4 * area)).epsilon(1e-14));
}

TEST_CASE("second-order elements hold the energy of quadratic potentials exactly") {
  const auto field = [](double x, double y) { return 2 * x * x - 3 * x * y + y * y - x; };
  const double expected = integrate([](double x, double y) {
    const double dx = 4 * x - 3 * y - 1, dy = -3 * x + 2 * y;
    return dx * dx + dy * dy;
  });
  CHECK(energy_of<Triangle<2, false>>(field) == Approx(expected).epsilon(1e-12));
}

TEST_CASE("a uniform field along the axis has its energy in every axisymmetric element") {
  // B_z = 1: a = A_phi/r = 1/2, energy density 1, so that u^T K u = 2 pi int r.
  const double expected = 2 * pi * integrate([](double x, double) { return x; });
  const auto half = [](double, double) { return 0.5; };
  CHECK(energy_of<Triangle<1, true>>(half) == Approx(expected).epsilon(1e-13));
  CHECK(energy_of<Triangle<2, true>>(half) == Approx(expected).epsilon(1e-13));
}

TEST_CASE("axisymmetric matrices of straight elements are exact") {
  // a = z: B_r = -r, B_z = 2 z. a = r z: B_r = -r^2, B_z = 3 r z, which first-order elements cannot hold.
  const double linear = 2 * pi * integrate([](double x, double y) { return x * (x * x + 4 * y * y); });
  const auto z = [](double, double y) { return y; };
  CHECK(energy_of<Triangle<1, true>>(z) == Approx(linear).epsilon(1e-4));  // the reference is exact for quadratics only
  CHECK(energy_of<Triangle<1, true>>(z) == Approx(energy_of<Triangle<2, true>>(z)).epsilon(1e-13));
  const double quadratic =
      2 * pi * integrate([](double x, double y) { return x * (x * x * x * x + 9 * x * x * y * y); });
  CHECK(energy_of<Triangle<2, true>>([](double x, double y) { return x * y; }) == Approx(quadratic).epsilon(1e-3));
}

TEST_CASE("loads add up to the current, or to its moment about the axis") {
  std::array<double, 6> load{};
  const auto sum = [&load](std::size_t nodes) {
    double total = 0;
    for (std::size_t i = 0; i < nodes; ++i) total += load[i];
    return total;
  };
  Triangle<1, false>::load(make_corners<Triangle<1, false>>(), 7, load.data());
  CHECK(sum(3) == Approx(7 * integrate([](double, double) { return 1.; })).epsilon(1e-13));
  Triangle<2, false>::load(make_corners<Triangle<2, false>>(), 7, load.data());
  CHECK(sum(6) == Approx(7 * integrate([](double, double) { return 1.; })).epsilon(1e-13));
  const double moment = 7 * 2 * pi * integrate([](double x, double) { return x * x; });
  Triangle<1, true>::load(make_corners<Triangle<1, true>>(), 7, load.data());
  CHECK(sum(3) == Approx(moment).epsilon(1e-12));
  Triangle<2, true>::load(make_corners<Triangle<2, true>>(), 7, load.data());
  CHECK(sum(6) == Approx(moment).epsilon(1e-12));
}

TEST_CASE("a row's product is the matrix's row") {
  const auto check = []<class T>() {
    const auto matrix = matrix_of<T>(2);
    std::array<double, T::nodes> p{};
    for (std::size_t i = 0; i < T::nodes; ++i) p[i] = 1 / (1. + static_cast<double>(i));
    for (std::size_t i = 0; i < T::nodes; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < T::nodes; ++j) expected += matrix[i * T::nodes + j] * p[j];
      CHECK(T::row_product(make_corners<T>(), 2, static_cast<int>(i), p.data()) == Approx(expected).epsilon(1e-12));
    }
  };
  check.template operator()<Triangle<1, false>>();
  check.template operator()<Triangle<1, true>>();
  check.template operator()<Triangle<2, false>>();
  check.template operator()<Triangle<2, true>>();
}

TEST_CASE("places of the upper triangle are counted row by row") {
  for (const int nodes : {3, 6}) {
    int expected = 0;
    for (int i = 0; i < nodes; ++i)
      for (int j = i; j < nodes; ++j) CHECK(upper_place(i, j, nodes) == expected++);
  }
}
