#include "schemes/newmark/first_guess.hpp"

#include <cmath>

#include "catch.hpp"

using namespace tetrawave;
using modes::find_factors;
using Numbers = modes::FirstGuess::Numbers;

namespace {

/// (x_i, A x_j) of vectors x_i = sum of v[i][m] along A-orthogonal directions of unlike sizes, for j >= i.
struct Span {
  std::array<Numbers, 4> v;
  Numbers sizes{5, 1, 0.2, 3};

  [[nodiscard]] double product(const Numbers& a, const Numbers& b) const {
    double sum = 0;
    for (std::size_t m = 0; m < 4; ++m) sum += sizes[m] * a[m] * b[m];
    return sum;
  }
  [[nodiscard]] Numbers factors(const Numbers& solution) const {
    std::array<Numbers, 4> gram{};
    Numbers side{};
    for (std::size_t i = 0; i < 4; ++i) {
      side[i] = product(v[i], solution);
      for (std::size_t j = i; j < 4; ++j) gram[i][j] = product(v[i], v[j]);
    }
    return find_factors(gram, side);
  }
};

}  // namespace

TEST_CASE("a combination of earlier solutions is found as it was made") {
  const Span span{{{{1, 2, 0.5, -1}, {0.9, 2.2, 0.4, -1}, {0.5, -1, 2, 1}, {0, 1, 1, -3}}}};
  const Numbers made{1.5, -2, 0.25, 0.5};
  Numbers solution{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t m = 0; m < 4; ++m) solution[m] += made[i] * span.v[i][m];
  const Numbers found = span.factors(solution);
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(found[i] - made[i]) < 1e-10);
}

TEST_CASE("what is left of a solution is orthogonal to earlier ones that do not make it up") {
  const Span span{{{{1, 2, 0.5, -1}, {0.9, 2.2, 0.4, -1}, {0.5, -1, 2, 1}, {0, 0, 0, 0}}}};
  const Numbers solution{1, 1, 1, 1};
  const Numbers found = span.factors(solution);
  CHECK(found[3] == 0);  // there were three
  Numbers rest = solution;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t m = 0; m < 4; ++m) rest[m] -= found[i] * span.v[i][m];
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(span.product(span.v[i], rest)) < 1e-12);
  CHECK(span.product(rest, rest) < 0.9 * span.product(solution, solution));
}

TEST_CASE("an earlier solution that is a multiple of a later one has no part, and none at all give zero") {
  const Span twice{{{{1, 2, 0.5, -1}, {2, 4, 1, -2}, {-3, -6, -1.5, 3}, {0, 1, 1, -3}}}};
  const Numbers found = twice.factors({1, 3, 1.5, -4});
  CHECK(std::abs(found[0] - 1) < 1e-12);
  CHECK(found[1] == 0);
  CHECK(found[2] == 0);
  CHECK(std::abs(found[3] - 1) < 1e-12);
  CHECK(Span{}.factors({1, 1, 1, 1}) == Numbers{});
}
