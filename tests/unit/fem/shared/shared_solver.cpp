#include "fem/shared/shared_solver.hpp"

#include <cmath>

#include "catch.hpp"
#include "failure.hpp"
#include "fem/shared/shared_matrix.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;

namespace {

constexpr std::int32_t size = 60;

/// -u'' on a line: 2 on the diagonal, -1 beside it.
struct Line {
  CsrPattern pattern;
  CsrMatrix<double> matrix;
  SharedRows rows;

  Line() {
    for (std::int32_t i = 0; i < size; ++i) {
      for (std::int32_t j = std::max(0, i - 1); j <= std::min(size - 1, i + 1); ++j) {
        pattern.column.push_back(j);
        matrix.values.push_back(i == j ? 2 : -1);
      }
      pattern.first.push_back(static_cast<std::int64_t>(pattern.column.size()));
      rows.number.push_back(i);
    }
    matrix.pattern = &pattern;
    rows.first = {0, size};
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
};

SolverOptions with(SolverMethod method, Preconditioner preconditioner) {
  SolverOptions options;
  options.method = method;
  options.preconditioner = preconditioner;
  options.tolerance = 1e-12;
  return options;
}

}  // namespace

TEST_CASE("one rank owns all rows of a shared pattern, and nothing is outside") {
  const Line line;
  const SharedPattern shared(line.pattern, line.rows);
  CHECK(shared.inner.column == line.pattern.column);
  CHECK(shared.outer.nonzeros() == 0);
  CHECK(shared.ghosts.empty());
  SharedMatrix<double> matrix(shared, line.rows);
  matrix.set(line.matrix);
  CHECK(matrix.inner.values == line.matrix.values);
}

TEST_CASE("shared solvers find the parabola that the second difference of a line makes of a constant") {
  const Line line;
  for (const auto& options :
       {with(SolverMethod::gmres, Preconditioner::none), with(SolverMethod::gmres, Preconditioner::ssor_ai),
        with(SolverMethod::bicgstab, Preconditioner::jacobi), with(SolverMethod::bicgstab, Preconditioner::ilu)}) {
    SharedSolver<double> solver(options, SolverMachine(1), line.pattern, MatrixKind::positive_definite, line.rows);
    std::vector<std::vector<double>> x(1, std::vector<double>(static_cast<std::size_t>(size)));
    const LinearFigures figures =
        solver.solve(line.matrix, {std::vector<double>(static_cast<std::size_t>(size), 1.0)}, x);
    REQUIRE(x.size() == 1);
    for (int i = 0; i < size; ++i)
      CHECK(x[0][static_cast<std::size_t>(i)] == Approx(0.5 * (i + 1) * (size - i)).epsilon(1e-9));
    CHECK(figures.iterations.at(0) > 0);
    CHECK(solver.nonzeros() == line.pattern.nonzeros());
    CHECK(solver.share().rows == size);
    CHECK(solver.share().ghosts == 0);
  }
}

TEST_CASE("an iteration of numbers that are not finite does not pass for one that has converged") {
  const Line line;
  for (const SolverMethod method : {SolverMethod::gmres, SolverMethod::bicgstab}) {
    SharedSolver<double> solver(with(method, Preconditioner::none), SolverMachine(1), line.pattern,
                                MatrixKind::positive_definite, line.rows);
    std::vector<std::vector<double>> x(1, std::vector<double>(static_cast<std::size_t>(size)));
    std::vector<double> b(static_cast<std::size_t>(size), 1.0);
    b[7] = std::nan("");
    CHECK(catch_failure([&] { (void)solver.solve(line.matrix, {b}, x); }).code == ExitCode::unstable);
  }
}

TEST_CASE("an iteration that does not converge ends with what to do") {
  const Line line;
  SolverOptions options = with(SolverMethod::gmres, Preconditioner::none);
  options.max_iterations = 3;
  SharedSolver<double> solver(options, SolverMachine(1), line.pattern, MatrixKind::positive_definite, line.rows);
  std::vector<std::vector<double>> x(1, std::vector<double>(static_cast<std::size_t>(size)));
  const auto failure = catch_failure(
      [&] { (void)solver.solve(line.matrix, {std::vector<double>(static_cast<std::size_t>(size), 1.0)}, x); });
  CHECK(failure.code == ExitCode::unstable);
  CHECK_THAT(failure.text, tetrawave_tests::ContainsSubstring("solver."));
}
