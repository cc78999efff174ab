// Incomplete factors with fill-in against those of dense matrices.
#include <algorithm>

#include "base/error.hpp"
#include "catch.hpp"
#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

template <class T>
std::vector<T> apply_factors(const FillIn& fill_in, const CsrMatrix<T>& matrix, int threads, const std::vector<T>& x) {
  ThreadTeam team(threads);
  const auto inverse = make_incomplete_factors<T>(fill_in, *matrix.pattern, team);
  inverse->set_matrix(matrix);
  std::vector<T> y(x.size());
  inverse->apply(x, y);
  CHECK(inverse->bytes() > 0);
  return y;
}

/// The entries of `row` before or after place k of an order, that are dropped but for the `keep` largest.
template <class T>
void drop(std::vector<T>& row, const std::vector<std::int32_t>& order, std::size_t begin, std::size_t end, double limit,
          std::int64_t keep) {
  std::vector<std::pair<double, std::int32_t>> sizes;
  for (std::size_t k = begin; k < end; ++k) {
    T& value = row[static_cast<std::size_t>(order[k])];
    if (std::norm(value) > 0) sizes.emplace_back(-std::norm(value), order[k]);
    if (std::abs(value) < limit) value = 0;
  }
  std::sort(sizes.begin(), sizes.end());
  for (std::size_t k = static_cast<std::size_t>(keep); k < sizes.size(); ++k)
    row[static_cast<std::size_t>(sizes[k].second)] = 0;
}

/// Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 10.6, row by row: L and U in one matrix.
template <class T>
DenseOf<T> factorise_dense(DenseOf<T> a, const std::vector<std::int32_t>& order, const FillIn& fill_in) {
  const auto at = [&order](std::size_t k) { return static_cast<std::size_t>(order[k]); };
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<T>& row = a[at(i)];
    double squares = 0;
    for (const T& value : row) squares += std::norm(value);
    const double limit = fill_in.drop_tolerance * std::sqrt(squares);
    for (std::size_t k = 0; k < i; ++k) {
      T& l = row[at(k)];
      l /= a[at(k)][at(k)];
      if (std::abs(l) < limit) l = 0;
      if (l == T(0)) continue;
      for (std::size_t j = k + 1; j < order.size(); ++j) row[at(j)] -= l * a[at(k)][at(j)];
    }
    drop(row, order, 0, i, limit, fill_in.per_side);
    drop(row, order, i + 1, order.size(), limit, fill_in.per_side);
  }
  return a;
}

template <class T>
std::vector<T> solve_factors(const DenseOf<T>& lu, const std::vector<std::int32_t>& order, std::vector<T> x) {
  const auto at = [&order](std::size_t k) { return static_cast<std::size_t>(order[k]); };
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) x[at(i)] -= lu[at(i)][at(j)] * x[at(j)];
  for (std::size_t i = order.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < order.size(); ++j) x[at(i)] -= lu[at(i)][at(j)] * x[at(j)];
    x[at(i)] /= lu[at(i)][at(i)];
  }
  return x;
}

/// Of a grid of 13^3.
template <class T>
std::int64_t count_iterations(double kh, Preconditioner preconditioner, const FillIn& fill_in) {
  const Grid grid{13, 13, 13};
  const CsrPattern pattern = make_placed_pattern(grid);
  SolverOptions spec;
  spec.preconditioner = preconditioner;
  spec.fill_in = fill_in;
  spec.tolerance = 1e-9;
  spec.relaxation = 1;
  LinearSolver<T> solver(spec, SolverMachine(2), pattern);
  std::vector<std::vector<T>> x(1, std::vector<T>(2197));
  const LinearFigures figures = solver.solve(make_helmholtz<T>(grid, pattern, kh), {make_vector<T>(2197, 1)}, x);
  CHECK(figures.residual[0] < 1.001e-9);
  return figures.iterations[0];
}

}  // namespace

TEMPLATE_TEST_CASE("factors with fill-in are those of a dense matrix by the same rules", "", double, Complex) {
  const Grid grid{4, 5, 3};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(grid, pattern, 0.9);
  const std::vector<std::int32_t> order = find_stages(FillIn{}, pattern, 1).order;
  const std::vector<TestType> x = make_vector<TestType>(60, 3);
  const std::vector<TestType> exact = solve_dense(make_dense(matrix), x);
  for (const FillIn& fill_in : {FillIn{60, 0}, FillIn{5, 0}, FillIn{60, 1e-2}, FillIn{4, 3e-3}, FillIn{0, 0}}) {
    INFO(fill_in.per_side << ", " << fill_in.drop_tolerance);
    const std::vector<TestType> y = apply_factors(fill_in, matrix, 2, x);
    CHECK(distance(y, solve_factors(factorise_dense(make_dense(matrix), order, fill_in), order, x)) < 1e-12);
    CHECK((distance(y, exact) < 1e-12) == (fill_in.per_side == 60 && fill_in.drop_tolerance == 0));
  }
}

TEMPLATE_TEST_CASE("in the order of a dissection factors are those of that order, on any number of threads", "", double,
                   Complex) {
  const Grid grid{13, 13, 12};
  const CsrPattern pattern = make_placed_pattern(grid);
  const auto rows = static_cast<std::size_t>(grid.points());
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(grid, pattern, 0.5);
  const EliminationStages stages = find_stages(FillIn{}, pattern, 3);
  REQUIRE(stages.stages == std::vector<std::size_t>{0, 2, 3});
  CHECK(stages.first.back() == rows);
  CHECK(find_stages(std::nullopt, pattern, 1).stages == std::vector<std::size_t>{0, 1});
  const std::vector<TestType> x = make_vector<TestType>(rows, 2);
  const FillIn fill_in{6, 1e-3};
  const std::vector<TestType> y = apply_factors(fill_in, matrix, 1, x);
  for (const int threads : {2, 3, 5}) CHECK(apply_factors(fill_in, matrix, threads, x) == y);
  CHECK(distance(y, solve_factors(factorise_dense(make_dense(matrix), stages.order, fill_in), stages.order, x)) <
        1e-12);
}

TEMPLATE_TEST_CASE("more fill-in takes fewer iterations, and all of it one", "", double, Complex) {
  const auto iterations = [](Preconditioner preconditioner, const FillIn& fill_in) {
    return count_iterations<TestType>(0.4, preconditioner, fill_in);
  };
  std::int64_t before = iterations(Preconditioner::jacobi, {});
  for (const std::int64_t per_side : {3, 6, 12, 30}) {
    const std::int64_t now = iterations(Preconditioner::ilut, {per_side, 0});
    CHECK(now < before);
    before = now;
  }
  CHECK(iterations(Preconditioner::ilut, {2197, 1e-1}) > iterations(Preconditioner::ilut, {2197, 1e-2}));
  CHECK(iterations(Preconditioner::ilut, {12, 0}) < iterations(Preconditioner::ilu, {}));
  CHECK(iterations(Preconditioner::ilut, {2197, 0}) == 1);
}

TEST_CASE("with waves in all directions fill-in pays") {
  const auto with_fill_in = count_iterations<Complex>(1.2, Preconditioner::ilut, {20, 1e-2});
  CHECK(2 * with_fill_in < count_iterations<Complex>(1.2, Preconditioner::ilu, {}));
  CHECK(2 * with_fill_in < count_iterations<Complex>(1.2, Preconditioner::ssor, {}));
}
