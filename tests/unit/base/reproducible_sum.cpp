#include "base/reproducible_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"

using tetrawave::ReproducibleSum;

namespace {

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

double add_all(const std::vector<double>& values) {
  ReproducibleSum sum(largest(values));
  for (const double value : values) sum.add(value);
  return sum.value();
}

std::vector<double> make_values(std::size_t count, int decades) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-decades, 0);
  std::vector<double> values(count);
  for (double& value : values) value = mantissa(random) * std::pow(10., exponent(random));
  return values;
}

}  // namespace

TEST_CASE("a reproducible sum is bitwise the same in any order and in any parts") {
  std::vector<double> values = make_values(20000, 30);
  const double expected = add_all(values);
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 5; ++trial) {
    std::shuffle(values.begin(), values.end(), random);
    CHECK(add_all(values) == expected);
    std::vector<ReproducibleSum> parts(7, ReproducibleSum(largest(values)));
    for (std::size_t i = 0; i < values.size(); ++i) parts[i % 7].add(values[i]);
    for (std::size_t part = 1; part < 6; ++part) parts[0].merge(parts[part]);
    for (std::size_t word = 0; word < parts[0].words().size(); ++word) parts[0].words()[word] += parts[6].words()[word];
    CHECK(parts[0].value() == expected);
  }
}

TEST_CASE("a reproducible sum is right to the last place") {
  const std::vector<double> values = make_values(20000, 12);
  long double reference = 0;
  for (const double value : values) reference += static_cast<long double>(value);
  const double result = add_all(values);
  CHECK(std::abs(static_cast<double>(reference - static_cast<long double>(result))) < 1e-15 * std::abs(result) + 1e-16);
}

TEST_CASE("a reproducible sum survives total cancellation") {
  std::vector<double> values;
  for (const double value : make_values(1000, 8)) {
    values.push_back(value);
    values.push_back(-value);
  }
  values.push_back(0x1p-60);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(1));
  CHECK(add_all(values) == 0x1p-60);
}

TEST_CASE("a reproducible sum takes the extremes of the double range") {
  CHECK(add_all({}) == 0);
  CHECK(add_all({0., -0., 0.}) == 0);
  CHECK(add_all({1., 1., 1.}) == 3);
  CHECK(add_all({-1., -0.5}) == -1.5);
  CHECK(add_all({0x1p-1074, 0x1p-1074}) == 0x1p-1073);
  CHECK(add_all({0x1p1023, -0x1p1022}) == 0x1p1022);
  CHECK(add_all({-0x1.fffffffffffffp1023}) == -0x1.fffffffffffffp1023);
  CHECK(add_all({1e300, 1.25e300, -1e300}) == 1.25e300);
}

TEST_CASE("a reproducible sum says when it cannot be right") {
  const double infinity = std::numeric_limits<double>::infinity();
  ReproducibleSum sum(1);
  CHECK_THROWS_AS(sum.add(1.0000001), tetrawave::InternalError);
  sum.add(std::numeric_limits<double>::quiet_NaN());
  CHECK(std::isnan(sum.value()));
  CHECK(std::isnan(add_all({1., infinity})));
}
