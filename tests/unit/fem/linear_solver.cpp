#include "fem/linear_solver.hpp"

#include <string>

#include "base/error.hpp"
#include "catch.hpp"
#include "unit/fem/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr Grid box{6, 7, 5};
constexpr std::size_t points = 210;

SolverSpec make_spec(Preconditioner preconditioner, bool diagonal_scaling, MatrixFormat format) {
  SolverSpec spec;
  spec.preconditioner = preconditioner;
  spec.diagonal_scaling = diagonal_scaling;
  spec.format = format;
  spec.tolerance = 1e-9;
  spec.max_iterations = 3000;
  return spec;
}

SolverSpec make_direct() {
  SolverSpec spec;
  spec.method = SolverMethod::direct;
  return spec;
}

double residual_of(const CsrMatrix<Complex>& matrix, const Vector& b, const Vector& x) {
  return distance(multiply(make_dense(matrix), x), b);
}

}  // namespace

TEST_CASE("every preconditioner, scaling and format leads to the dense solution") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  const std::vector<Vector> b{make_vector(points, 1), make_vector(points, 2)};
  const std::vector<Vector> exact{solve_dense(make_dense(matrix), b[0]), solve_dense(make_dense(matrix), b[1])};
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor,
                                    Preconditioner::ssor_ai, Preconditioner::ilu})
    for (const bool scaling : {false, true})
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
        INFO(name_of(preconditioner) << (scaling ? ", scaled, " : ", ") << name_of(format));
        const SolverSpec spec = make_spec(preconditioner, scaling, format);
        LinearSolver<Complex> solver(spec, 2, pattern);
        std::vector<Vector> x(2, Vector(points));
        const LinearFigures figures = solver.solve(matrix, b, x);
        for (const std::size_t k : {0, 1}) {
          CHECK(figures.residual[k] <= 1.001 * spec.tolerance);
          CHECK(std::abs(figures.residual[k] - residual_of(matrix, b[k], x[k])) < 1e-13);
          CHECK(figures.iterations[k] > 0);
          CHECK(distance(x[k], exact[k]) < 10 * spec.tolerance);
        }
        CHECK(figures.bytes > 0);
      }
}

TEST_CASE("a solver serves one matrix of its pattern after the other") {
  const CsrPattern pattern = make_pattern(box);
  const std::vector<Vector> b{make_vector(points, 4)};
  for (const auto& spec : {make_spec(Preconditioner::ssor_ai, true, MatrixFormat::jad),
                           make_spec(Preconditioner::ilu, false, MatrixFormat::csr), make_direct()}) {
    if (spec.method == SolverMethod::direct && !has_direct_solver()) continue;
    LinearSolver<Complex> solver(spec, 1, pattern);
    for (const double kh : {0.3, 0.8, 1.1}) {
      const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, kh);
      std::vector<Vector> x(1, Vector(points));
      CHECK(solver.solve(matrix, b, x).residual[0] <= 1.001e-9);
      CHECK(distance(x[0], solve_dense(make_dense(matrix), b[0])) < 1e-8);
    }
  }
}

TEST_CASE("better preconditioners need fewer iterations") {
  const Grid grid{16, 16, 16};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<Complex> matrix = make_helmholtz(grid, pattern, 0.6);
  const std::vector<Vector> b{make_vector(4096, 1)};
  std::vector<std::int64_t> iterations;
  for (const auto preconditioner : {Preconditioner::jacobi, Preconditioner::ssor_ai, Preconditioner::ilu}) {
    LinearSolver<Complex> solver(make_spec(preconditioner, true, MatrixFormat::csr), 1, pattern);
    std::vector<Vector> x(1, Vector(4096));
    iterations.push_back(solver.solve(matrix, b, x).iterations[0]);
  }
  CHECK(iterations[1] < iterations[0]);
  CHECK(iterations[2] < iterations[1]);
}

TEST_CASE("a start at the solution needs no iteration") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  const std::vector<Vector> b{make_vector(points, 1)};
  for (const bool scaling : {false, true}) {
    LinearSolver<Complex> solver(make_spec(Preconditioner::ssor_ai, scaling, MatrixFormat::csr), 1, pattern);
    std::vector<Vector> x{solve_dense(make_dense(matrix), b[0])};
    CHECK(solver.solve(matrix, b, x).iterations[0] == 0);
  }
}

TEST_CASE("solutions do not depend on the number of threads") {
  const Grid grid{30, 30, 30};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<Complex> matrix = make_helmholtz(grid, pattern, 0.7);
  const std::vector<Vector> b{make_vector(27000, 1)};
  for (const auto preconditioner : {Preconditioner::jacobi, Preconditioner::ssor_ai, Preconditioner::ssor}) {
    std::vector<Vector> reference;
    for (const int threads : {1, 2, 6}) {
      LinearSolver<Complex> solver(make_spec(preconditioner, true, MatrixFormat::csr), threads, pattern);
      std::vector<Vector> x(1, Vector(27000));
      (void)solver.solve(matrix, b, x);
      if (reference.empty()) reference = x;
      CHECK(x == reference);
    }
  }
}

TEST_CASE("nothing on the right is nothing on the left, from any start") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  for (const auto& spec : {make_spec(Preconditioner::ilu, true, MatrixFormat::csr), make_direct()}) {
    if (spec.method == SolverMethod::direct && !has_direct_solver()) continue;
    LinearSolver<Complex> solver(spec, 1, pattern);
    const std::vector<Vector> b{Vector(points)};
    std::vector<Vector> x{make_vector(points, 1)};
    const LinearFigures figures = solver.solve(matrix, b, x);
    CHECK(x[0] == Vector(points));
    CHECK(figures.iterations[0] == 0);
    CHECK(figures.residual[0] == 0);
  }
}

TEST_CASE("an iteration that does not converge says how far it came and what to do") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  const std::vector<Vector> b{make_vector(points, 1)};
  SolverSpec spec = make_spec(Preconditioner::ssor_ai, true, MatrixFormat::csr);
  spec.max_iterations = 3;
  LinearSolver<Complex> solver(spec, 1, pattern);
  std::vector<Vector> x(1, Vector(points));
  try {
    (void)solver.solve(matrix, b, x);
    FAIL("converged");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::unstable);
    const std::string text = error.what();
    for (const char* part : {"ssor-ai", "3 iterations", "residual", "solver.relaxation", "solver.method: direct"})
      CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a breakdown that comes back is an error") {
  // (r, A r) = 0 for a skew-Hermitian A and a start of real numbers.
  CsrPattern pattern;
  pattern.first = {0, 2, 4};
  pattern.column = {0, 1, 0, 1};
  const CsrMatrix<Complex> matrix{&pattern, {1, 0, 0, -1}};
  SolverSpec spec = make_spec(Preconditioner::none, false, MatrixFormat::csr);
  LinearSolver<Complex> solver(spec, 1, pattern);
  std::vector<Vector> x(1, Vector(2));
  const std::vector<Vector> b{{1, 1}};
  try {
    (void)solver.solve(matrix, b, x);
    FAIL("converged");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::unstable);
    CHECK(std::string(error.what()).find("broken down") != std::string::npos);
  }
}

TEST_CASE("the direct solution is the dense one, for several right-hand sides at once") {
  const CsrPattern pattern = make_pattern(box);
  if (!has_direct_solver()) {
    try {
      LinearSolver<Complex> solver(make_direct(), 1, pattern);
      FAIL("there is a direct solver");
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::unavailable);
      CHECK(std::string(error.what()).find("libmumps-dev") != std::string::npos);
    }
    return;
  }
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  const std::vector<Vector> b{make_vector(points, 1), make_vector(points, 2), make_vector(points, 3)};
  LinearSolver<Complex> solver(make_direct(), 2, pattern);
  std::vector<Vector> x(3, Vector(points));
  const LinearFigures figures = solver.solve(matrix, b, x);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(figures.iterations[k] == 0);
    CHECK(figures.residual[k] < 1e-13);
    CHECK(distance(x[k], solve_dense(make_dense(matrix), b[k])) < 1e-12);
  }
}

TEST_CASE("a singular matrix is told from a failure of the direct solver") {
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix{&pattern, Vector(pattern.column.size())};
  LinearSolver<Complex> solver(make_direct(), 1, pattern);
  std::vector<Vector> x(1, Vector(points));
  try {
    (void)solver.solve(matrix, {make_vector(points, 1)}, x);
    FAIL("solved");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::unstable);
    CHECK(std::string(error.what()).find("singular") != std::string::npos);
  }
}
