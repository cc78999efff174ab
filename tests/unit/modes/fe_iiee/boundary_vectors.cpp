#include "modes/fe_iiee/boundary_vectors.hpp"

#include <cmath>

#include "catch.hpp"

using namespace tetrawave;

namespace {

using Complex = modes::BoundaryVectors::Complex;
using Vector = modes::BoundaryVectors::Vector;

/// Numbers without a pattern.
std::vector<Vector> make_vectors(std::size_t count, std::size_t size, double seed) {
  std::vector<Vector> vectors(count, Vector(size));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t n = 0; n < size; ++n) {
      const double at = seed + static_cast<double>(n * n % 977) + 31 * static_cast<double>(k);
      vectors[k][n] = {std::sin(at), std::cos(1.7 * at)};
    }
  return vectors;
}

}  // namespace

TEST_CASE("Sums and updates of blocks of vectors are those of their formulas, the same bits on any number of threads") {
  for (const std::size_t run : {1U, 2U, 3U})
    for (const std::size_t points : {5U, 259U, 1700U})
      for (const std::size_t rows : {1U, 3U, 6U}) {
        INFO(run << " numbers a weight, " << points << " weights, " << rows << " vectors");
        constexpr std::size_t from = 2, sides = 3;
        const std::size_t size = run * points;
        const auto a = make_vectors(rows + from, size, 0.3), b = make_vectors(sides, size, 0.7);
        std::vector<double> weights(points);
        for (std::size_t w = 0; w < points; ++w) weights[w] = 1 + 0.3 * std::sin(static_cast<double>(w));
        const modes::BoundaryVectors one(weights, run, 1), many(weights, run, 3);
        const auto parts = one.products(a, b, from);
        CHECK(parts == many.products(a, b, from));
        auto sums = b, sums_of_many = b;
        one.add(-0.5, parts, a, sums, from);
        many.add(-0.5, parts, a, sums_of_many, from);
        CHECK(sums == sums_of_many);
        REQUIRE(parts.size() == rows);
        for (std::size_t k = 0; k < sides; ++k) {
          Vector expected = b[k];
          double square = 0;
          for (std::size_t i = 0; i < rows; ++i) {
            Complex sum = 0;
            for (std::size_t n = 0; n < size; ++n) sum += weights[n / run] * std::conj(a[from + i][n]) * b[k][n];
            CHECK(std::abs(parts[i][k] - sum) < 1e-12 * static_cast<double>(size));
            for (std::size_t n = 0; n < size; ++n) expected[n] -= 0.5 * sum * a[from + i][n];
          }
          double worst = 0, largest = 0;
          for (std::size_t n = 0; n < size; ++n) {
            worst = std::max(worst, std::abs(sums[k][n] - expected[n]));
            largest = std::max(largest, std::abs(expected[n]));
            square += weights[n / run] * std::norm(b[k][n]);
          }
          CHECK(worst < 1e-12 * static_cast<double>(size) * largest);
          CHECK(std::abs(many.norms({&b[k]}).front() - std::sqrt(square)) <
                1e-13 * std::sqrt(square) * static_cast<double>(size));
        }
        std::vector<Vector> mixed = many.scaled({1, 3}, {&b[1], &b[2]});
        many.combine(2, {&b[0], &b[1]}, -3, mixed);
        for (std::size_t n = 0; n < size; ++n) {
          CHECK(std::abs(mixed[0][n] - (2. * b[0][n] - 3. * b[1][n])) < 4e-15);
          CHECK(std::abs(mixed[1][n] - (2. * b[1][n] - 9. * b[2][n])) < 12e-15);
        }
        const auto table = many.table(a, b);
        REQUIRE(table.size() == a.size() + sides);
        for (std::size_t i = 0; i < rows; ++i) CHECK(table[from + i] == parts[i]);
        for (std::size_t k = 0; k < sides; ++k) CHECK(table[a.size() + k] == one.products({b[k]}, b).front());
        const auto turned = many.sums(table, a, b);
        for (std::size_t n = 0; n < size; ++n) {
          Complex sum = 0;
          for (std::size_t i = 0; i < table.size(); ++i)
            sum += table[i][1] * (i < a.size() ? a[i][n] : b[i - a.size()][n]);
          CHECK(std::abs(turned[1][n] - sum) < 1e-12 * static_cast<double>(size));
        }
      }
}
