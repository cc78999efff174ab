#include "fem/sparse/sparse_rows.hpp"

#include <random>

#include "catch.hpp"

using namespace tetrawave::fem;

TEST_CASE("terms of a sparse matrix are added to its entries in their order, on any number of threads") {
  constexpr std::int32_t size = 9001;
  std::mt19937 random(7);
  std::vector<MatrixTerm<double>> terms;
  for (int k = 0; k < 100000; ++k)
    terms.push_back({static_cast<std::int32_t>(random() % size), static_cast<std::int32_t>(random() % 5),
                     1e-3 * static_cast<double>(random() % 1000)});
  std::vector<std::vector<double>> expected(size, std::vector<double>(5, 0));
  for (const auto& [row, column, value] : terms)
    expected[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] += value;
  for (const int threads : {1, 3}) {
    const SparseRowsOf<double> rows = add_up(terms, size, threads);
    REQUIRE(rows.rows() == size);
    std::size_t entries = 0, wrong = 0;
    std::vector<std::vector<double>> left = expected;
    for (std::size_t row = 0; row < rows.rows(); ++row)
      for (auto k = static_cast<std::size_t>(rows.first[row]); k < static_cast<std::size_t>(rows.first[row + 1]); ++k) {
        const auto column = static_cast<std::size_t>(rows.column[k]);
        if (k > static_cast<std::size_t>(rows.first[row]) && rows.column[k - 1] >= rows.column[k]) ++wrong;
        if (rows.value[k] != left[row][column]) ++wrong;
        left[row][column] = 0;
        ++entries;
      }
    CHECK(wrong == 0);
    CHECK(entries == rows.column.size());
    CHECK(left == std::vector<std::vector<double>>(size, std::vector<double>(5, 0)));
    const std::vector<std::complex<double>> x{1, 2, 3, 4, 5};
    std::vector<std::complex<double>> y(size, 1);
    rows.add_product(-2, x, y, threads);
    double sum = 0;
    for (std::size_t c = 0; c < 5; ++c) sum += expected[10][c] * x[c].real();
    CHECK(std::abs(y[10] - (1 - 2 * sum)) < 1e-12 * (1 + 2 * sum));
  }
}
