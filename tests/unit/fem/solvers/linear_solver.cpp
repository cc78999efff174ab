#include "fem/solvers/linear_solver.hpp"

#include <string>

#include "base/error.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr Grid box{6, 7, 5};
constexpr std::size_t points = 210;

SolverOptions make_spec(Preconditioner preconditioner, bool diagonal_scaling, MatrixFormat format) {
  SolverOptions spec;
  spec.preconditioner = preconditioner;
  spec.diagonal_scaling = diagonal_scaling;
  spec.format = format;
  spec.tolerance = 1e-9;
  spec.max_iterations = 3000;
  return spec;
}

SolverOptions make_direct() {
  SolverOptions spec;
  spec.method = SolverMethod::direct;
  return spec;
}

template <class T>
double residual_of(const CsrMatrix<T>& matrix, const std::vector<T>& b, const std::vector<T>& x) {
  return distance(multiply(make_dense(matrix), x), b);
}

/// Every third unknown with the other sign on the diagonal: neither definite nor singular, as the diagonal dominates.
CsrMatrix<double> make_indefinite(const CsrPattern& pattern) {
  CsrMatrix<double> matrix = make_helmholtz<double>(box, pattern, 1.5);
  const auto diagonal = find_diagonal(pattern);
  for (std::size_t i = 0; i < diagonal.size(); i += 3) matrix.values[static_cast<std::size_t>(diagonal[i])] *= -1;
  return matrix;
}

}  // namespace

TEMPLATE_TEST_CASE("every preconditioner, scaling and format leads to the dense solution", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<Numbers> b{make_vector<TestType>(points, 1), make_vector<TestType>(points, 2)};
  const std::vector<Numbers> exact{solve_dense(make_dense(matrix), b[0]), solve_dense(make_dense(matrix), b[1])};
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor,
                                    Preconditioner::ssor_ai, Preconditioner::ilu})
    for (const bool scaling : {false, true})
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
        INFO(name_of(preconditioner) << (scaling ? ", scaled, " : ", ") << name_of(format));
        const SolverOptions spec = make_spec(preconditioner, scaling, format);
        LinearSolver<TestType> solver(spec, SolverMachine(2), pattern);
        std::vector<Numbers> x(2, Numbers(points));
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

TEMPLATE_TEST_CASE("a solver serves one matrix of its pattern after the other", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  const std::vector<Numbers> b{make_vector<TestType>(points, 4)};
  for (const auto& spec : {make_spec(Preconditioner::ssor_ai, true, MatrixFormat::jad),
                           make_spec(Preconditioner::ilu, false, MatrixFormat::csr), make_direct()}) {
    if (spec.method == SolverMethod::direct && !has_direct_solver()) continue;
    LinearSolver<TestType> solver(spec, SolverMachine(1), pattern);
    for (const double kh : {0.3, 0.8, 1.1}) {
      const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, kh);
      std::vector<Numbers> x(1, Numbers(points));
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
    LinearSolver<Complex> solver(make_spec(preconditioner, true, MatrixFormat::csr), SolverMachine(1), pattern);
    std::vector<Vector> x(1, Vector(4096));
    iterations.push_back(solver.solve(matrix, b, x).iterations[0]);
  }
  CHECK(iterations[1] < iterations[0]);
  CHECK(iterations[2] < iterations[1]);
}

TEMPLATE_TEST_CASE("a start at the solution needs no iteration", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<Numbers> b{make_vector<TestType>(points, 1)};
  for (const bool scaling : {false, true}) {
    LinearSolver<TestType> solver(make_spec(Preconditioner::ssor_ai, scaling, MatrixFormat::csr), SolverMachine(1),
                                  pattern);
    std::vector<Numbers> x{solve_dense(make_dense(matrix), b[0])};
    CHECK(solver.solve(matrix, b, x).iterations[0] == 0);
  }
}

TEMPLATE_TEST_CASE("solutions do not depend on the number of threads", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const Grid grid{30, 30, 30};
  const CsrPattern pattern = make_pattern(grid);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(grid, pattern, 0.7);
  const std::vector<Numbers> b{make_vector<TestType>(27000, 1)};
  for (const auto preconditioner : {Preconditioner::jacobi, Preconditioner::ssor_ai, Preconditioner::ssor}) {
    std::vector<Numbers> reference;
    for (const int threads : {1, 2, 6}) {
      LinearSolver<TestType> solver(make_spec(preconditioner, true, MatrixFormat::csr), SolverMachine(threads),
                                    pattern);
      std::vector<Numbers> x(1, Numbers(27000));
      (void)solver.solve(matrix, b, x);
      if (reference.empty()) reference = x;
      CHECK(x == reference);
    }
  }
}

TEMPLATE_TEST_CASE("nothing on the right is nothing on the left, from any start", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  for (const auto& spec : {make_spec(Preconditioner::ilu, true, MatrixFormat::csr), make_direct()}) {
    if (spec.method == SolverMethod::direct && !has_direct_solver()) continue;
    LinearSolver<TestType> solver(spec, SolverMachine(1), pattern);
    const std::vector<Numbers> b{Numbers(points)};
    std::vector<Numbers> x{make_vector<TestType>(points, 1)};
    const LinearFigures figures = solver.solve(matrix, b, x);
    CHECK(x[0] == Numbers(points));
    CHECK(figures.iterations[0] == 0);
    CHECK(figures.residual[0] == 0);
  }
}

TEST_CASE("an iteration that does not converge says how far it came and what to do") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz(box, pattern, 0.9);
  const std::vector<Vector> b{make_vector(points, 1)};
  SolverOptions spec = make_spec(Preconditioner::ssor_ai, true, MatrixFormat::csr);
  spec.max_iterations = 3;
  LinearSolver<Complex> solver(spec, SolverMachine(1), pattern);
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

TEMPLATE_TEST_CASE("a breakdown that comes back is an error", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  // (r, A r) = 0 for a skew-Hermitian A and a start of real numbers.
  CsrPattern pattern;
  pattern.first = {0, 2, 4};
  pattern.column = {0, 1, 0, 1};
  const CsrMatrix<TestType> matrix{&pattern, {1, 0, 0, -1}};
  SolverOptions spec = make_spec(Preconditioner::none, false, MatrixFormat::csr);
  LinearSolver<TestType> solver(spec, SolverMachine(1), pattern);
  std::vector<Numbers> x(1, Numbers(2));
  const std::vector<Numbers> b{{1, 1}};
  try {
    (void)solver.solve(matrix, b, x);
    FAIL("converged");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::unstable);
    CHECK(std::string(error.what()).find("broken down") != std::string::npos);
  }
}

TEMPLATE_TEST_CASE("the direct solution is the dense one, for several right-hand sides at once", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  if (!has_direct_solver()) {
    try {
      LinearSolver<TestType> solver(make_direct(), SolverMachine(1), pattern);
      FAIL("there is a direct solver");
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::unavailable);
      CHECK(std::string(error.what()).find("libmumps-dev") != std::string::npos);
    }
    return;
  }
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<Numbers> b{make_vector<TestType>(points, 1), make_vector<TestType>(points, 2),
                               make_vector<TestType>(points, 3)};
  LinearSolver<TestType> solver(make_direct(), SolverMachine(2), pattern);
  std::vector<Numbers> x(3, Numbers(points));
  const LinearFigures figures = solver.solve(matrix, b, x);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(figures.iterations[k] == 0);
    CHECK(figures.residual[k] < 1e-13);
    CHECK(distance(x[k], solve_dense(make_dense(matrix), b[k])) < 1e-12);
  }
}

TEMPLATE_TEST_CASE("factors in single precision, refined, give the solution of double ones in half the memory", "",
                   double, Complex) {
  using Numbers = std::vector<TestType>;
  if (!has_direct_solver()) return;
  const Grid large{24, 24, 24};
  const CsrPattern pattern = make_pattern(large);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(large, pattern, 0.9);
  const auto rows = static_cast<std::size_t>(pattern.rows());
  const std::vector<Numbers> b{make_vector<TestType>(rows, 1), Numbers(rows), make_vector<TestType>(rows, 2)};
  SolverOptions mixed = make_direct();
  mixed.mixed_precision = true;
  LinearSolver<TestType> exact(make_direct(), SolverMachine(1), pattern), rounded(mixed, SolverMachine(1), pattern);
  std::vector<Numbers> expected(3, Numbers(rows)), x(3, Numbers(rows));
  const LinearFigures of_exact = exact.solve(matrix, b, expected), of_rounded = rounded.solve(matrix, b, x);
  for (const std::size_t k : {0, 1, 2}) {
    CHECK(of_rounded.residual[k] < 1e-12);
    CHECK((k == 1 ? x[k] == Numbers(rows) : distance(x[k], expected[k]) < 1e-11));
  }
  CHECK(static_cast<double>(of_rounded.bytes) < 0.75 * static_cast<double>(of_exact.bytes));
  Numbers once(rows);
  CHECK(rounded.solve_once(b[0], once) == 0);
  CHECK(distance(once, expected[0]) < 1e-11);
}

TEMPLATE_TEST_CASE("a singular matrix is told from a failure of the direct solver", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix{&pattern, UnsetVector<TestType>(pattern.column.size(), TestType(0))};
  LinearSolver<TestType> solver(make_direct(), SolverMachine(1), pattern);
  std::vector<Numbers> x(1, Numbers(points));
  try {
    (void)solver.solve(matrix, {make_vector<TestType>(points, 1)}, x);
    FAIL("solved");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::unstable);
    CHECK(std::string(error.what()).find("singular") != std::string::npos);
  }
}

TEST_CASE("factors without digits are an error with its causes, a residual below the tolerance is none") {
  CHECK_NOTHROW(check_factors<Complex>(1e-7, 1e-12));
  CHECK_NOTHROW(check_factors<double>(1e-4, 1e-3));
  const auto complex = catch_failure([] { check_factors<Complex>(2e-6, 1e-12); });
  CHECK(complex.code == ExitCode::unstable);
  CHECK_THAT(complex.text, ContainsSubstring("residual of 2e-06"));
  CHECK_THAT(complex.text, ContainsSubstring("small a part of a wavelength"));
  CHECK_THAT(catch_failure([] { check_factors<double>(2e-6, 1e-12); }).text, ContainsSubstring("eigenmode.target"));
}

TEST_CASE("real matrices may have diagonals of either sign") {
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<double> matrix = make_indefinite(pattern);
  const std::vector<std::vector<double>> b{make_vector<double>(points, 1)};
  const std::vector<double> exact = solve_dense(make_dense(matrix), b[0]);
  std::vector<SolverOptions> specs;
  for (const auto preconditioner :
       {Preconditioner::jacobi, Preconditioner::ssor, Preconditioner::ssor_ai, Preconditioner::ilu})
    for (const bool scaling : {false, true}) specs.push_back(make_spec(preconditioner, scaling, MatrixFormat::csr));
  if (has_direct_solver()) specs.push_back(make_direct());
  for (const SolverOptions& spec : specs) {
    INFO(name_of(spec.method) << " " << name_of(spec.preconditioner) << (spec.diagonal_scaling ? ", scaled" : ""));
    LinearSolver<double> solver(spec, SolverMachine(1), pattern);
    std::vector<std::vector<double>> x(1, std::vector<double>(points));
    CHECK(solver.solve(matrix, b, x).residual[0] <= 1.001e-9);
    CHECK(distance(x[0], exact) < 1e-8);
  }
}

TEST_CASE("a positive definite matrix is solved without pivots, one that is none is refused") {
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<double> matrix = make_helmholtz<double>(box, pattern, 0.1);
  const std::vector<std::vector<double>> b{make_vector<double>(points, 1), make_vector<double>(points, 2)};
  LinearSolver<double> solver(make_direct(), SolverMachine(1), pattern, MatrixKind::positive_definite);
  std::vector<std::vector<double>> x(2, std::vector<double>(points));
  const auto solve = [&](const CsrMatrix<double>& of) { return solver.solve(of, b, x); };
  const CsrMatrix<double> singular{&pattern, UnsetVector<double>(pattern.column.size(), 0)};
  for (const auto& [wrong, text] :
       {std::pair(make_indefinite(pattern), "not positive definite"), std::pair(singular, "singular")}) {
    const Failure failure = catch_failure([&] { (void)solve(wrong); });
    CHECK(failure.code == ExitCode::unstable);
    CHECK_THAT(failure.text, ContainsSubstring(text));
  }
  const LinearFigures figures = solve(matrix);  // as if nothing had been
  for (const std::size_t k : {0, 1}) {
    CHECK(figures.residual[k] < 1e-13);
    CHECK(distance(x[k], solve_dense(make_dense(matrix), b[k])) < 1e-11);
  }
}

TEMPLATE_TEST_CASE("a solution for a march is that of one substitution, in place", "", double, Complex) {
  if (!has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const MatrixKind kind = std::is_same_v<TestType, double> ? MatrixKind::positive_definite : MatrixKind::symmetric;
  LinearSolver<TestType> solver(make_direct(), SolverMachine(1), pattern, kind);
  std::vector<std::vector<TestType>> none;
  CHECK(solver.solve(matrix, none, none).residual.empty());
  std::vector<TestType> x = make_vector<TestType>(points, 7);
  const TestType* const place = x.data();
  for (const int seed : {1, 2, 3}) {
    const auto b = make_vector<TestType>(points, seed);
    CHECK(solver.solve_once(b, x) == 0);
    CHECK(distance(x, solve_dense(make_dense(matrix), b)) < 1e-12);
  }
  CHECK(x.data() == place);
  std::vector<TestType> short_one(points - 1);
  CHECK_THROWS_AS(solver.solve_once(make_vector<TestType>(points, 1), short_one), InternalError);
}

TEMPLATE_TEST_CASE("a solution for a march is that of iterations from where it starts", "", double, Complex) {
  using Numbers = std::vector<TestType>;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, 0.9);
  const std::vector<Numbers> b{make_vector<TestType>(points, 1)};
  SolverOptions spec = make_spec(Preconditioner::ssor_ai, true, MatrixFormat::csr);
  LinearSolver<TestType> solver(spec, SolverMachine(1), pattern);
  std::vector<Numbers> expected(1, Numbers(points));
  const std::int64_t iterations = solver.solve(matrix, b, expected).iterations[0];
  Numbers x(points);
  CHECK(solver.solve_once(b[0], x) == iterations);
  CHECK(x == expected[0]);
  CHECK(solver.solve_once(b[0], x) == 0);
  Numbers near = b[0];
  for (TestType& value : near) value *= 1 + 1e-6;
  const std::int64_t fewer = solver.solve_once(near, x);
  CHECK(fewer > 0);
  CHECK(fewer < iterations);
  CHECK(residual_of(matrix, near, x) <= 1.001 * spec.tolerance);
  spec.max_iterations = 1;
  LinearSolver<TestType> hasty(spec, SolverMachine(1), pattern);
  std::vector<Numbers> none;
  (void)hasty.solve(matrix, none, none);
  std::fill(x.begin(), x.end(), TestType(0));
  CHECK(catch_failure([&] { (void)hasty.solve_once(b[0], x); }).code == ExitCode::unstable);
}
