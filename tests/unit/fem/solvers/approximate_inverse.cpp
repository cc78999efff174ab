#include "fem/solvers/approximate_inverse.hpp"

#include "base/error.hpp"
#include "catch.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr Grid box{4, 5, 3};

/// weight L, D or weight U of a dense matrix, and sums of them.
template <class T>
DenseOf<T> take_parts(const DenseOf<T>& a, double lower, double diagonal, double upper) {
  DenseOf<T> parts = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) parts[i][j] *= i == j ? diagonal : j < i ? lower : upper;
  return parts;
}

template <class T>
std::vector<T> divide_by_diagonal(const DenseOf<T>& a, std::vector<T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] /= a[i][i];
  return x;
}

/// x - weight y.
template <class T>
std::vector<T> subtract(const std::vector<T>& x, double weight, const std::vector<T>& y) {
  std::vector<T> z = x;
  for (std::size_t i = 0; i < x.size(); ++i) z[i] -= weight * y[i];
  return z;
}

template <class T>
std::vector<T> apply(Preconditioner kind, MatrixFormat format, double relaxation, const CsrMatrix<T>& matrix,
                     const std::vector<T>& x) {
  ThreadTeam team(2);
  SolverOptions spec;
  spec.preconditioner = kind;
  spec.format = format;
  spec.relaxation = relaxation;
  const auto inverse = make_approximate_inverse<T>(spec, *matrix.pattern, Subspace(), team);
  inverse->set_matrix(matrix);
  std::vector<T> y(x.size());
  inverse->apply(x, y);
  return y;
}

/// A matrix with entries up to `width` places beside the diagonal.
CsrPattern make_band(std::int32_t rows, std::int32_t width) {
  CsrPattern pattern;
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = std::max(0, i - width); j <= std::min(rows - 1, i + width); ++j) pattern.column.push_back(j);
    pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return pattern;
}

}  // namespace

TEMPLATE_TEST_CASE("without a preconditioner nothing is done, and Jacobi divides by the diagonal", "", double,
                   Complex) {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<TestType> x = make_vector<TestType>(60, 3);
  CHECK(apply(Preconditioner::none, MatrixFormat::csr, 1, matrix, x) == x);
  CHECK(distance(apply(Preconditioner::jacobi, MatrixFormat::csr, 1, matrix, x),
                 divide_by_diagonal(make_dense(matrix), x)) < 1e-15);
}

TEMPLATE_TEST_CASE("SSOR solves with both factors of its matrix", "", double, Complex) {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const DenseOf<TestType> a = make_dense(matrix);
  const std::vector<TestType> x = make_vector<TestType>(60, 1);
  for (const double w : {0.4, 1., 1.6}) {
    // M y = (D + w L) D^-1 (D + w U) y / (w (2 - w)) is x again.
    const std::vector<TestType> y = apply(Preconditioner::ssor, MatrixFormat::csr, w, matrix, x);
    std::vector<TestType> back =
        multiply(take_parts(a, w, 1, 0), divide_by_diagonal(a, multiply(take_parts(a, 0, 1, w), y)));
    for (TestType& value : back) value /= w * (2 - w);
    CHECK(distance(back, x) < 1e-13);
  }
}

TEMPLATE_TEST_CASE("the approximate inverse of SSOR is its formula, with any diagonal and in both formats", "", double,
                   Complex) {
  const CsrPattern pattern = make_pattern(box);
  CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<TestType> x = make_vector<TestType>(60, 2);
  const double w = 0.42;
  for (const bool has_unit_diagonal : {false, true}) {
    if (has_unit_diagonal)
      for (const auto k : find_diagonal(pattern)) matrix.values[static_cast<std::size_t>(k)] = 1;
    const DenseOf<TestType> a = make_dense(matrix);
    const DenseOf<TestType> lower = take_parts(a, 1, 0, 0), upper = take_parts(a, 0, 0, 1);
    const std::vector<TestType> first =
        divide_by_diagonal(a, subtract(x, w, multiply(lower, divide_by_diagonal(a, x))));
    std::vector<TestType> expected = subtract(first, w, divide_by_diagonal(a, multiply(upper, first)));
    for (TestType& value : expected) value *= w * (2 - w);
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad})
      CHECK(distance(apply(Preconditioner::ssor_ai, format, w, matrix, x), expected) < 1e-14);
  }
}

TEMPLATE_TEST_CASE("incomplete factors of a band matrix are complete", "", double, Complex) {
  for (const std::int32_t width : {1, 4}) {
    const CsrPattern pattern = make_band(50, width);
    CsrMatrix<TestType> matrix{&pattern, {}};
    for (std::int32_t i = 0; i < 50; ++i)
      for (auto k = pattern.first[static_cast<std::size_t>(i)]; k < pattern.first[static_cast<std::size_t>(i) + 1];
           ++k) {
        const std::int32_t j = pattern.column[static_cast<std::size_t>(k)];
        matrix.values.push_back(i == j ? make_number<TestType>(2.5 * width, 0.3 * (i % 3))
                                       : make_number<TestType>(-1, 0.1 * ((i + j) % 4)));
      }
    const std::vector<TestType> x = make_vector<TestType>(50, 1);
    CHECK(distance(apply(Preconditioner::ilu, MatrixFormat::csr, 1, matrix, x), solve_dense(make_dense(matrix), x)) <
          1e-13);
  }
}

TEMPLATE_TEST_CASE("incomplete factors are those of the pattern", "", double, Complex) {
  // L U agrees with A where A has entries.
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const DenseOf<TestType> a = make_dense(matrix);
  DenseOf<TestType> inverse(60, std::vector<TestType>(60));  // columns M^-1 e_j
  for (std::size_t j = 0; j < 60; ++j) {
    std::vector<TestType> unit(60);
    unit[j] = 1;
    inverse[j] = apply(Preconditioner::ilu, MatrixFormat::csr, 1, matrix, unit);
  }
  // Column j of M = L U solves M^-1 m = e_j; the columns above are the rows of M^-T.
  DenseOf<TestType> transposed(60, std::vector<TestType>(60));
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 60; ++j) transposed[i][j] = inverse[j][i];
  for (std::size_t j = 0; j < 60; ++j) {
    std::vector<TestType> unit(60);
    unit[j] = 1;
    const std::vector<TestType> column = solve_dense(transposed, unit);
    for (std::size_t i = 0; i < 60; ++i)
      if (a[i][j] != TestType(0)) CHECK(std::abs(column[i] - a[i][j]) < 1e-12);
  }
}

TEMPLATE_TEST_CASE("incomplete factors that would be unstable are those of a shifted diagonal", "", double, Complex) {
  const std::vector<TestType> x = make_vector<TestType>(2, 1);
  const CsrPattern pair = make_band(2, 1);
  const TestType one = 1, other = std::is_same_v<TestType, double> ? make_number<TestType>(1.05, 0)
                                                                   : make_number<TestType>(1, 0.05);
  const CsrMatrix<TestType> singular{&pair, {one, one, one, one}}, shifted{&pair, {other, one, one, other}};
  for (const auto kind : {Preconditioner::ilu, Preconditioner::ilut})
    CHECK(distance(apply(kind, MatrixFormat::csr, 1, singular, x), solve_dense(make_dense(shifted), x)) < 1e-13);
}

TEST_CASE("incomplete factors of a matrix with waves do not grow") {
  // Three points to a wavelength: without the shift the largest number here is 2e14.
  const Grid grid{16, 16, 16};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<Complex> growing = make_helmholtz(grid, pattern, 1.9);
  Vector diagonal;
  for (const auto k : find_diagonal(pattern)) diagonal.push_back(growing.values[static_cast<std::size_t>(k)]);
  for (const auto kind : {Preconditioner::ilu, Preconditioner::ilut}) {
    double largest = 0;
    for (const Complex value : apply(kind, MatrixFormat::csr, 1, growing, diagonal))
      largest = std::max(largest, std::abs(value));
    CHECK(largest < 100);
  }
}

TEMPLATE_TEST_CASE("a preconditioner that a matrix does not have is refused with what to do", "", double, Complex) {
  const CsrPattern pattern = make_band(3, 1);
  const CsrMatrix<TestType> matrix{&pattern, {0, 1, 1, 2, 1, 1, 3}};
  const std::vector<TestType> x = make_vector<TestType>(3, 1);
  for (const auto kind : {Preconditioner::jacobi, Preconditioner::ssor, Preconditioner::ssor_ai, Preconditioner::ilu,
                          Preconditioner::ilut})
    try {
      (void)apply(kind, MatrixFormat::csr, 0.5, matrix, x);
      FAIL("accepted");
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::unstable);
      CHECK(std::string(error.what()).find("row 0") != std::string::npos);
    }
}
