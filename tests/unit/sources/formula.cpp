#include "sources/formula.hpp"

#include <cmath>
#include <thread>
#include <vector>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "sources/expression.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

double value_of(const std::string& text, double x = 0) { return Formula(text, {"x"}, {"here"})({x}); }

tetrawave_tests::Failure refusal(const std::string& text) {
  return catch_failure([&] { (void)value_of(text, 0.5); });
}

}  // namespace

TEST_CASE("a formula knows its variables, pi, c0 and the usual functions") {
  CHECK(value_of("sin(pi*x/2)", 0.5) == Approx(std::sqrt(0.5)));
  CHECK(value_of("c0") == c0_m_per_s);
  CHECK(value_of("2^3^2 - x^2", 3) == 503);
  CHECK(value_of("x > 1 ? ln(x) : abs(x)", -3) == 3);
  CHECK(value_of("min(x, 2, 1) + max(x, 4)", 3) == 5);
  CHECK(value_of("atan2(1, x)", 0) == Approx(pi / 2));
  CHECK(value_of("log10(1e3) + log2(8) + sqrt(16) + sign(-3)") == Approx(9));
}

TEST_CASE("an unknown function is refused with a suggestion and the allowed names") {
  const auto failure = refusal("1 + sinn(x)");
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("here: error: unknown function 'sinn' in '1 + sinn(x)' (did you mean "));
  CHECK_THAT(failure.text, ContainsSubstring("allowed: the variable x, the constants pi and c0, the functions sin, "));
  CHECK_THAT(failure.text, ContainsSubstring("atan2, min, max"));
}

TEST_CASE("an unknown variable is refused with the allowed names") {
  const auto failure = refusal("cos(y)");
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("here: error: unknown variable 'y' in 'cos(y)'"));
  CHECK_THAT(failure.text, ContainsSubstring("the variable x, the constants pi and c0"));
}

TEST_CASE("texts that are no expression of one value are refused") {
  for (const char* text : {"", "1 +", "(x", "x = 2", "1, 2", "x x", "\"text\"", "1e400"}) {
    INFO(text);
    const auto failure = refusal(text);
    CHECK(failure.code == ExitCode::bad_case);
    CHECK_THAT(failure.text, ContainsSubstring("here: error: the expression '" + std::string(text) + "' "));
  }
}

TEST_CASE("comparisons are no assignments") {
  CHECK(value_of("x == 2 ? 5 : 6", 2) == 5);
  CHECK(value_of("(x <= 2) + (x >= 2) + (x != 2)", 2) == 2);
}

TEST_CASE("a value that is not finite names the place and the point") {
  CHECK(refusal("1/(x - 0.5)").text ==
        "here: error: the expression '1/(x - 0.5)' is infinite at x = 0.5; it must be finite there");
  CHECK_THAT(refusal("sqrt(-x)").text, ContainsSubstring("is not a number at x = 0.5"));
}

TEST_CASE("a copy of a formula has a state of its own") {
  const Formula original("x*x", {"x"}, {"here"});
  const Formula copy = original;
  CHECK(original({3}) == 9);
  CHECK(copy({4}) == 16);
}

TEST_CASE("threads that share a formula get the values of their own points") {
  const Formula square("x*x + 0*sin(x)", {"x"}, {"here"});
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 2000; ++i) {
        const double x = static_cast<double>(k) + i;
        if (square({x}) != x * x) ++wrong[k];
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("a field is three expressions of a point") {
  const FieldExpression field({"x + 2*y", "z", "c0*0 + pi"}, {});
  const Vec3 value = field({1, 2, 3});
  CHECK(value[0] == 5);
  CHECK(value[1] == 3);
  CHECK(value[2] == Approx(pi));
  CHECK_FALSE(field.is_zero());
}

TEST_CASE("a field of three zeros is known as zero") {
  CHECK(FieldExpression({"0", "0*1", "-0"}, {}).is_zero());
  CHECK_FALSE(FieldExpression({"0", "x", "0"}, {}).is_zero());
  CHECK_FALSE(FieldExpression({"0", "0", "1e-300"}, {}).is_zero());
}

TEST_CASE("an error in a field has the place of its component") {
  const std::array<Place, 3> places = {{{"c.yaml:3:9"}, {"c.yaml:3:14"}, {"c.yaml:3:19"}}};
  const auto unknown = catch_failure([&] { FieldExpression({"0", "t", "0"}, places); });
  CHECK_THAT(unknown.text, ContainsSubstring("c.yaml:3:14: error: unknown variable 't'"));
  CHECK_THAT(unknown.text, ContainsSubstring("the variables x, y, z"));
  const FieldExpression field({"0", "0", "1/z"}, places);
  const auto infinite = catch_failure([&] { (void)field({1, 2.5, 0}); });
  CHECK_THAT(infinite.text, ContainsSubstring("c.yaml:3:19: error: the expression '1/z' is infinite at x = 1, y = 2.5, "
                                              "z = 0"));
}
