#include "fem/sparse/row_product.hpp"

#include <atomic>

#include "base/error.hpp"
#include "catch.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// A full last row and column, too, so that rows have many lengths.
CsrPattern make_arrow(const Grid& grid) {
  CsrPattern pattern;
  const std::int32_t last = grid.points() - 1;
  for (std::int32_t i = 0; i <= last; ++i) {
    auto columns = grid.neighbours(i);
    if (columns.back() != last) columns.push_back(last);
    if (i == last)
      for (columns.clear(); static_cast<std::int32_t>(columns.size()) <= last;)
        columns.push_back(static_cast<std::int32_t>(columns.size()));
    pattern.column.insert(pattern.column.end(), columns.begin(), columns.end());
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return pattern;
}

}  // namespace

TEMPLATE_TEST_CASE(
    "products by rows and by jagged diagonals are those of the dense matrix, to the same bits on any team", "", double,
    Complex) {
  using Numbers = std::vector<TestType>;
  const Grid grid{9, 8, 6};
  const CsrPattern pattern = make_arrow(grid);
  const Numbers entries = make_vector<TestType>(pattern.column.size(), 7);
  const CsrMatrix<TestType> matrix{&pattern, {entries.begin(), entries.end()}};
  const Numbers x = make_vector<TestType>(432, 1), base = make_vector<TestType>(432, 2);
  for (const MatrixPart part : {MatrixPart::whole, MatrixPart::lower, MatrixPart::upper}) {
    auto dense = make_dense(matrix);
    for (std::size_t i = 0; i < 432; ++i)
      for (std::size_t j = 0; j < 432; ++j)
        if ((part == MatrixPart::lower && j >= i) || (part == MatrixPart::upper && j <= i)) dense[i][j] = 0;
    const Numbers expected = multiply(dense, x);
    Numbers reference;
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
      for (const int threads : {1, 2, 5}) {
        ThreadTeam team(threads);
        const auto product = make_row_product<TestType>(format, part, pattern, team);
        product->set_values(matrix.values);
        Numbers y(432), z = base;
        product->multiply(x, y);
        CHECK(distance(y, expected) < 1e-14);
        if (reference.empty()) reference = y;
        CHECK(y == reference);
        product->subtract(0.5, z, 2, x, z);
        for (std::size_t i = 0; i < 432; ++i) CHECK(z[i] == 0.5 * (base[i] - 2. * y[i]));
      }
  }
}

TEST_CASE("a matrix without a diagonal entry is a bug") {
  CsrPattern pattern;
  pattern.first = {0, 1, 2};
  pattern.column = {1, 0};
  CHECK_THROWS_AS(find_diagonal(pattern), InternalError);
}

TEST_CASE("rows are cut into ranges of about equal numbers of entries") {
  const std::vector<std::int64_t> first{0, 10, 11, 12, 13, 20};
  CHECK(cut_evenly(first, 1) == std::vector<std::size_t>{0, 5});
  CHECK(cut_evenly(first, 2) == std::vector<std::size_t>{0, 1, 5});
  CHECK(cut_evenly({0}, 3) == std::vector<std::size_t>{0, 0, 0, 0});
}

TEST_CASE("every member of a team works once in every round") {
  for (const int threads : {1, 3, 8}) {
    ThreadTeam team(threads);
    CHECK(team.size() == threads);
    std::vector<int> rounds(static_cast<std::size_t>(threads));
    std::atomic<int> all = 0;
    for (int round = 1; round <= 2000; ++round) {
      team.run([&](int member) {
        ++rounds[static_cast<std::size_t>(member)];
        ++all;
      });
      if (all != round * threads) FAIL("a member was not waited for");
    }
    CHECK(rounds == std::vector<int>(static_cast<std::size_t>(threads), 2000));
  }
}

TEST_CASE("sums over blocks are the same on any team") {
  const Vector x = make_vector(50000, 3);
  double reference = 0;
  for (const int threads : {1, 2, 7}) {
    ThreadTeam team(threads);
    BlockedVectors vectors(team, x.size());
    const double sum = vectors.sum<2>([&](std::size_t i, auto& part) {
      part[0] += square(x[i]);
      part[1] += 1;
    })[0];
    if (threads == 1) reference = sum;
    CHECK(sum == reference);
    CHECK(std::abs(sum - norm(x) * norm(x)) < 1e-9 * sum);
  }
}
