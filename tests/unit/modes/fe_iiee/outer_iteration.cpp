#include "modes/fe_iiee/outer_iteration.hpp"

#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "catch.hpp"
#include "modes/fe_iiee/outer_forecast.hpp"

using namespace tetrawave;

namespace {

using Complex = std::complex<double>;
using Vector = modes::OuterIteration::Vector;
using Matrix = std::vector<Vector>;

Vector random_vector(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Vector values(size);
  for (Complex& value : values) {
    const double real = normal(generator);
    value = {real, normal(generator)};
  }
  return values;
}

/// Entries of about radius/sqrt(n): eigenvalues fill a disc of this radius.
Matrix random_matrix(std::size_t size, double radius) {
  Matrix rows;
  for (std::size_t i = 0; i < size; ++i) {
    rows.push_back(random_vector(size, 100 + static_cast<unsigned>(i)));
    for (Complex& value : rows.back()) value *= radius / std::sqrt(2.0 * static_cast<double>(size));
  }
  return rows;
}

Vector times(const Matrix& matrix, const Vector& x) {
  Vector y(x.size(), Complex(0));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) y[i] += matrix[i][k] * x[k];
  return y;
}

/// (I - T) x
Vector shifted(const Matrix& matrix, const Vector& x) {
  Vector y = times(matrix, x);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] - y[i];
  return y;
}

/// How often T was applied to all that was asked for.
int run(modes::OuterIteration& iteration, const Matrix& matrix, double tolerance, int most) {
  for (int count = 0;; ++count) {
    const auto& wanted = iteration.next(tolerance);
    if (wanted.empty() || count == most) return count;
    REQUIRE(iteration.owners().size() == wanted.size());
    std::vector<Vector> images;
    for (const Vector& vector : wanted) images.push_back(times(matrix, vector));
    iteration.take(std::move(images));
  }
}

double difference(const Vector& a, const Vector& b) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::norm(a[i] - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(sum / size);
}

constexpr std::size_t size = 60;

}  // namespace

TEST_CASE("Both outer iterations find what the map keeps, for several right-hand sides at once") {
  const Matrix matrix = random_matrix(size, 0.5);
  const std::vector<Vector> wanted{random_vector(size, 1), random_vector(size, 2), random_vector(size, 3)};
  std::vector<Vector> b;
  for (const Vector& x : wanted) b.push_back(shifted(matrix, x));
  b.emplace_back(size, Complex(0));
  int counts[2] = {0, 0};
  for (const auto method : {OuterMethod::plain, OuterMethod::gmres}) {
    const auto iteration = modes::make_outer_iteration(method, b, std::vector<double>(size, 2), 1, 2);
    CHECK(iteration->change() == 1);
    counts[method == OuterMethod::gmres ? 1 : 0] = run(*iteration, matrix, 1e-9, 100);
    CHECK(iteration->change() <= 1e-9);
    for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(difference(iteration->values()[k], wanted[k]) < 1e-8);
    for (const Complex& value : iteration->values().back()) CHECK(value == Complex(0));
  }
  CHECK(counts[1] < counts[0]);
}

TEST_CASE("GMRES converges where plain updates diverge") {
  const Matrix matrix = random_matrix(size, 1.5);
  const Vector wanted = random_vector(size, 1);
  const auto start = [&](OuterMethod method) {
    return modes::make_outer_iteration(method, {shifted(matrix, wanted)}, std::vector<double>(size / 3, 1), 3, 1);
  };
  const auto plain = start(OuterMethod::plain), gmres = start(OuterMethod::gmres);
  CHECK(run(*plain, matrix, 1e-6, 100) == 100);
  CHECK(plain->change() > 0.1);
  CHECK(run(*gmres, matrix, 1e-10, 100) <= static_cast<int>(size));
  CHECK(difference(gmres->values().front(), wanted) < 1e-7);
}

TEST_CASE("A change that is not finite is the largest") {
  const auto iteration = modes::make_outer_iteration(OuterMethod::plain, {{1}, {1}}, {1}, 1, 1);
  for (int k = 0; k < 2; ++k) {
    const auto& wanted = iteration->next(1e-9);
    std::vector<Vector> images;
    for (std::size_t n = 0; n < wanted.size(); ++n)
      images.push_back({(iteration->owners()[n] == 0 ? 0 : 1e200) * wanted[n][0]});
    iteration->take(std::move(images));
  }
  CHECK(std::isnan(iteration->change()));
}

TEST_CASE("GMRES tells the residual of what it has, least in the weighted norm") {
  const Matrix matrix = random_matrix(size, 0.8);
  const Vector b = random_vector(size, 7);
  std::vector<double> weights;
  for (std::size_t i = 0; i < size; ++i) weights.push_back(0.5 + static_cast<double>(i % 5));
  const auto norm = [&](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += weights[i] * std::norm(x[i]);
    return std::sqrt(sum);
  };
  const auto iteration = modes::make_outer_iteration(OuterMethod::gmres, {b}, weights, 1, 1);
  run(*iteration, matrix, 0, 5);
  const Vector& x = iteration->values().front();
  const auto residual_of = [&](const Vector& of) {
    Vector residual = shifted(matrix, of);
    for (std::size_t i = 0; i < size; ++i) residual[i] = b[i] - residual[i];
    return norm(residual);
  };
  const double least = residual_of(x);
  CHECK(std::abs(iteration->change() - least / norm(x)) < 1e-12);
  for (const double step : {1e-3, -1e-3})  // b is in the space
    for (const Complex turn : {Complex(1), Complex(0, 1)}) {
      Vector moved = x;
      for (std::size_t i = 0; i < size; ++i) moved[i] += step * turn * b[i];
      CHECK(residual_of(moved) > least);
    }
}

TEST_CASE("An outer iteration with a coarse map is corrected by an exact one") {
  const Matrix matrix = random_matrix(size, 0.7);
  Matrix coarse = matrix;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = 0; k < size; ++k) coarse[i][k] *= 1 + 1e-5 * std::sin(static_cast<double>(7 * i + 3 * k));
  const std::vector<Vector> wanted{random_vector(size, 1), random_vector(size, 2)};
  for (const auto method : {OuterMethod::plain, OuterMethod::gmres})
    for (const bool keeps : {false, true}) {
      const auto iteration = modes::make_outer_iteration(
          method, {shifted(matrix, wanted[0]), shifted(matrix, wanted[1])}, std::vector<double>(size, 1), 1, 1);
      run(*iteration, coarse, 1e-3, 100);
      CHECK(difference(iteration->values()[0], wanted[0]) > 1e-7);
      iteration->correct({times(matrix, iteration->values()[0]), times(matrix, iteration->values()[1])}, keeps);
      run(*iteration, matrix, 1e-6, 100);
      CHECK(iteration->change() <= 1e-6);
      for (std::size_t k = 0; k < 2; ++k) CHECK(difference(iteration->values()[k], wanted[k]) < 1e-5);
    }
}

TEST_CASE("Right-hand sides share one space, and those that depend on others add nothing") {
  const Matrix matrix = random_matrix(size, 0.8);
  Vector b = random_vector(size, 7), twice = b;
  for (Complex& value : twice) value *= Complex(0, 2);
  const std::vector<double> weights(size, 1);
  const auto both = modes::make_outer_iteration(OuterMethod::gmres, {b, twice}, weights, 1, 1);
  const auto alone = modes::make_outer_iteration(OuterMethod::gmres, {b}, weights, 1, 1);
  CHECK(run(*both, matrix, 1e-6, 100) == run(*alone, matrix, 1e-6, 100));
  CHECK(difference(both->values()[0], alone->values()[0]) < 1e-12);
  const Vector other = random_vector(size, 8);
  const auto two = modes::make_outer_iteration(OuterMethod::gmres, {b, other}, weights, 1, 1);
  const auto second = modes::make_outer_iteration(OuterMethod::gmres, {other}, weights, 1, 1);
  const int most = std::max(run(*alone, matrix, 1e-6, 100), run(*second, matrix, 1e-6, 100));
  CHECK(run(*two, matrix, 1e-6, 100) <= most);
}

TEST_CASE("Many right-hand sides that nearly depend on each other have their own answers") {
  const Matrix matrix = random_matrix(size, 0.6);
  std::vector<Vector> wanted, b;
  for (int wave = 0; wave < 24; ++wave) {  // a curve of waves, as of a monostatic sweep
    Vector x(size, Complex(0));
    for (unsigned order = 0; order < 30; ++order) {
      const double part = std::pow(wave / 24.0, order) / std::tgamma(order + 1.0);
      const Vector one = random_vector(size, 40 + order);
      for (std::size_t i = 0; i < size; ++i) x[i] += part * one[i];
    }
    b.push_back(shifted(matrix, x));
    wanted.push_back(std::move(x));
  }
  const auto iteration = modes::make_outer_iteration(OuterMethod::gmres, b, std::vector<double>(size, 1), 1, 1);
  run(*iteration, matrix, 1e-8, 100);
  for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(difference(iteration->values()[k], wanted[k]) < 1e-6);
}

TEST_CASE("The forecast of the outer iteration has the rates and counts of partial waves") {
  struct Row {
    double size, gap, rate;
    int plain, gmres;
  };
  // tests/physics/sphere_iterations.py, whose functions come from recurrences
  for (const Row& row : {Row{1, 0.1, 0.19, 7, 5}, Row{5, 0.1, 0.37, 10, 9}, Row{10, 0.05, 0.74, 31, 12},
                         Row{20, 0.1, 0.91, 99, 13}, Row{30, 0.1, 1.15, 0, 14}, Row{40, 0.25, 0.79, 38, 13}}) {
    INFO(row.size << ", " << row.gap);
    const modes::OuterForecast forecast = modes::forecast_outer_iteration(row.size, row.gap, 1e-4);
    CHECK(std::abs(forecast.rate - row.rate) < 0.005);
    CHECK(forecast.plain == row.plain);
    CHECK(forecast.gmres == row.gmres);
  }
}

TEST_CASE("Plain updates near divergence are warned of, gmres is not") {
  IieeSpec spec;
  spec.method = OuterMethod::plain;
  CHECK_FALSE(modes::warning_of(modes::forecast_outer_iteration(10, 0.1, 1e-4), spec));
  CHECK(modes::warning_of(modes::forecast_outer_iteration(30, 0.1, 1e-4), spec) ==
        "iiee.method: plain leaves about 1.15 of the error in each iteration, and diverges (as around a sphere of k a "
        "30, 0.1 wavelengths inside of S): use gmres, or put iiee.outer farther away");
  CHECK(modes::warning_of(modes::forecast_outer_iteration(20, 0.1, 1e-4), spec) ==
        "iiee.method: plain leaves about 0.91 of the error in each iteration (as around a sphere of k a 20, 0.1 "
        "wavelengths inside of S): use gmres, or put iiee.outer farther away");
  spec.method = OuterMethod::gmres;
  CHECK_FALSE(modes::warning_of(modes::forecast_outer_iteration(30, 0.1, 1e-4), spec));
}
