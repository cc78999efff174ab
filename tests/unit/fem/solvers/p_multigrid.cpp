#include "base/error.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "fem/sparse/galerkin_product.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr Grid box{5, 4, 3};
constexpr std::size_t points = 60;

/// Every fourth unknown by itself, and sums of the unknowns 1 and 2 after it.
Subspace make_subspace(std::int32_t rows) {
  Subspace subspace;
  for (std::int32_t row = 0; row < rows; ++row) {
    if (row % 4 == 1) subspace.columns += 2;
    if (row % 4 == 0 || row % 4 == 1 || row % 4 == 2) {
      subspace.column.push_back(row / 4 * 2 + (row % 4 == 0 ? 0 : 1));
      subspace.value.push_back(row % 4 == 2 ? -0.5 : 1);
    }
    subspace.first.push_back(static_cast<std::int64_t>(subspace.column.size()));
  }
  return subspace;
}

template <class T>
DenseOf<T> make_dense(const Subspace& subspace) {
  DenseOf<T> dense(subspace.rows(), std::vector<T>(static_cast<std::size_t>(subspace.columns)));
  for (std::size_t row = 0; row < dense.size(); ++row)
    subspace.for_row(row, [&](std::size_t c, double value) { dense[row][c] = value; });
  return dense;
}

template <class T>
DenseOf<T> transpose(const DenseOf<T>& a) {
  DenseOf<T> b(a[0].size(), std::vector<T>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) b[j][i] = a[i][j];
  return b;
}

template <class T>
DenseOf<T> product(const DenseOf<T>& a, const DenseOf<T>& b) {
  DenseOf<T> columns;
  for (const auto& column : transpose(b)) columns.push_back(multiply(a, column));
  return transpose(columns);
}

/// y after the correction of the unknowns `block` together: those equations hold.
template <class T>
void solve_block(const DenseOf<T>& a, const DenseOf<T>& p, const std::vector<T>& x, std::vector<T>& y) {
  std::vector<T> residual = multiply(a, y);
  for (std::size_t i = 0; i < x.size(); ++i) residual[i] = x[i] - residual[i];
  const DenseOf<T> transposed = transpose(p);
  const auto correction = multiply(p, solve_dense(product(transposed, product(a, p)), multiply(transposed, residual)));
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += correction[i];
}

/// The cycle of p-multigrid by dense matrices.
template <class T>
std::vector<T> cycle(const DenseOf<T>& a, const DenseOf<T>& p, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  const auto sweep = [&](std::size_t i) {
    DenseOf<T> unit(x.size(), std::vector<T>(1));
    unit[i][0] = 1;
    if (i % 4 != 0) solve_block(a, unit, x, y);
  };
  for (std::size_t i = 0; i < x.size(); ++i) sweep(i);
  solve_block(a, p, x, y);
  for (std::size_t i = x.size(); i-- > 0;) sweep(i);
  return y;
}

SolverOptions p_multigrid() {
  SolverOptions spec;
  spec.preconditioner = Preconditioner::p_multigrid;
  spec.diagonal_scaling = false;
  spec.relaxation = 1;
  spec.tolerance = 1e-10;
  return spec;
}

}  // namespace

TEMPLATE_TEST_CASE("a Galerkin product is the dense one", "", double, Complex) {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const Subspace subspace = make_subspace(pattern.rows());
  const GalerkinProduct galerkin(pattern, subspace);
  const auto p = make_dense<TestType>(subspace);
  const auto expected = product(transpose(p), product(tetrawave_tests::make_dense(matrix), p));
  const auto found = tetrawave_tests::make_dense(galerkin.multiply(matrix));
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < found.size(); ++j) CHECK(std::abs(found[i][j] - expected[i][j]) < 1e-13);
}

TEMPLATE_TEST_CASE("p-multigrid is its cycle by dense matrices, linear and symmetric", "", double, Complex) {
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const Subspace subspace = make_subspace(pattern.rows());
  ThreadTeam team(2);
  const auto inverse = make_p_multigrid<TestType>(1, pattern, subspace, team);
  inverse->set_matrix(matrix);
  const auto a = tetrawave_tests::make_dense(matrix), p = make_dense<TestType>(subspace);
  DenseOf<TestType> columns;
  for (std::size_t j = 0; j < points; ++j) {
    std::vector<TestType> unit(points), y(points);
    unit[j] = 1;
    inverse->apply(unit, y);
    CHECK(distance(y, cycle(a, p, unit)) < 1e-11);
    columns.push_back(y);
  }
  double worst = 0;
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < i; ++j) worst = std::max(worst, std::abs(columns[i][j] - columns[j][i]));
  CHECK(worst < 1e-12);
  const std::vector<TestType> x = make_vector<TestType>(points, 2);
  std::vector<TestType> y(points);
  inverse->apply(x, y);
  CHECK(distance(y, multiply(transpose(columns), x)) < 1e-12);
}

TEST_CASE("where the subspace is the whole space, the preconditioner is the inverse") {
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  Subspace whole;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    whole.column.push_back(whole.columns++);
    whole.value.push_back(1);
    whole.first.push_back(whole.columns);
  }
  LinearSolver<Complex> solver(p_multigrid(), SolverMachine(1), pattern, MatrixKind::symmetric,
                               comm::Communicator::self(), whole);
  const std::vector<Vector> b{make_vector(points, 1)};
  std::vector<Vector> x(1, Vector(points));
  CHECK(solver.solve(matrix, b, x).iterations[0] == 1);
  CHECK(distance(x[0], solve_dense(tetrawave_tests::make_dense(matrix), b[0])) < 1e-12);
}

TEMPLATE_TEST_CASE("factors serve near matrices and are made anew for others", "", double, Complex) {
  if (!has_direct_solver()) return;
  const Grid grid{12, 11, 10};
  const CsrPattern pattern = make_pattern(grid);
  const auto rows = static_cast<std::size_t>(pattern.rows());
  LinearSolver<TestType> solver(p_multigrid(), SolverMachine(1), pattern, MatrixKind::symmetric,
                                comm::Communicator::self(), make_subspace(pattern.rows()));
  const std::vector<std::vector<TestType>> b{make_vector<TestType>(rows, 1), make_vector<TestType>(rows, 2)};
  const auto solve = [&](double kh) {
    const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(grid, pattern, kh);
    std::vector<std::vector<TestType>> x(2, std::vector<TestType>(rows));
    const LinearFigures figures = solver.solve(matrix, b, x);
    for (const double residual : figures.residual) CHECK(residual <= 1.001e-10);
    return figures;
  };
  CHECK(solve(0.2).made_preconditioner);
  CHECK(!solve(0.201).made_preconditioner);
  CHECK(!solve(0.202).made_preconditioner);
  bool made = false;
  for (int turn = 0; turn < 3; ++turn)
    made = solve(std::is_same_v<TestType, double> ? 60 : 1.3).made_preconditioner || made;
  CHECK(made);
}

TEST_CASE("a history has the residual of the start and after each iteration") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  SolverOptions spec;
  spec.tolerance = 1e-8;
  for (const bool scaling : {false, true}) {
    spec.diagonal_scaling = scaling;
    LinearSolver<Complex> solver(spec, SolverMachine(1), pattern);
    const std::vector<Vector> b{make_vector(points, 1), Vector(points)};
    std::vector<Vector> x(2, Vector(points));
    const LinearFigures figures = solver.solve(matrix, b, x);
    const auto& history = figures.history[0];
    CHECK(history.values().size() == static_cast<std::size_t>(figures.iterations[0]) + 1);
    CHECK(history.stride() == 1);
    CHECK(std::abs(history.values().front() - 1) < 1e-14);
    CHECK(std::abs(history.values().back() - figures.residual[0]) < 1e-14);
    CHECK(figures.history[1].values().empty());
  }
}

TEST_CASE("a long history keeps every second residual, then every fourth") {
  ResidualHistory history;
  constexpr int count = 5000;
  for (int k = 0; k < count; ++k) history.add(k);
  CHECK(history.stride() == 8);
  CHECK(history.values().size() == count / 8);
  for (std::size_t k = 0; k < history.values().size(); ++k)
    REQUIRE(history.values()[k] == static_cast<double>(k) * static_cast<double>(history.stride()));
}
