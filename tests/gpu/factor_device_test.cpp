// Factors by cuDSS against products with the matrix, and against MUMPS where it is built in.
#include "cuda/direct/factor_device.hpp"

#include <optional>
#include <type_traits>

#include "base/error.hpp"
#include "catch.hpp"
#include "cuda/cuda_backend.hpp"
#include "failure.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

constexpr Grid box{17, 16, 15};
constexpr std::size_t points = 17 * 16 * 15;

std::shared_ptr<const FactorDevice> device_or_word(const cuda::FactorOptions& options = {}) {
  auto device = cuda::device_count() > 0 ? cuda::find_factor_device(0, options) : nullptr;
  if (!device) WARN("not run: " << (cuda::device_count() > 0 ? cuda::describe_factor_library() : "no GPU"));
  return device;
}

SolverOptions direct(bool mixed = false) {
  SolverOptions spec;
  spec.method = SolverMethod::direct;
  spec.mixed_precision = mixed;
  return spec;
}

template <class T>
constexpr MatrixKind definite_kind = std::is_same_v<T, double> ? MatrixKind::positive_definite : MatrixKind::symmetric;

template <class T>
double residual_of(const CsrMatrix<T>& matrix, const std::vector<T>& b, const std::vector<T>& x) {
  const CsrPattern& pattern = *matrix.pattern;
  std::vector<T> product(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    for (auto k = pattern.first[i]; k < pattern.first[i + 1]; ++k)
      product[i] += matrix.values[static_cast<std::size_t>(k)] *
                    x[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])];
  return distance(product, b);
}

/// Every third unknown with the other sign on the diagonal: neither definite nor singular, as the diagonal dominates.
CsrMatrix<double> make_indefinite(const CsrPattern& pattern) {
  CsrMatrix<double> matrix = make_helmholtz<double>(box, pattern, 1.5);
  const auto diagonal = find_diagonal(pattern);
  for (std::size_t i = 0; i < diagonal.size(); i += 3) matrix.values[static_cast<std::size_t>(diagonal[i])] *= -1;
  return matrix;
}

}  // namespace

TEMPLATE_TEST_CASE("cuDSS solves symmetric systems, one matrix of a pattern after the other, in both precisions", "",
                   double, Complex) {
  const auto device = device_or_word();
  if (!device) return;
  const CsrPattern pattern = make_pattern(box);
  std::vector<std::vector<TestType>> b;
  for (int seed = 1; seed <= 70; ++seed) b.push_back(make_vector<TestType>(points, seed));  // more than a block of 64
  b[3].assign(points, 0);
  for (const bool mixed : {false, true})
    for (const MatrixKind kind : {MatrixKind::symmetric, definite_kind<TestType>}) {
      LinearSolver<TestType> solver(direct(mixed), {2, device}, pattern, kind);
      for (const double k : {0.1, 0.2}) {
        const CsrMatrix<TestType> matrix = make_helmholtz<TestType>(box, pattern, k);
        std::vector<std::vector<TestType>> x(b.size(), std::vector<TestType>(points));
        const LinearFigures figures = solver.solve(matrix, b, x);
        for (std::size_t r = 0; r < b.size(); ++r) {
          CHECK(figures.residual[r] < 1e-12);
          CHECK((r == 3 || residual_of(matrix, b[r], x[r]) < 1e-12));
        }
        std::vector<TestType> once(points);
        solver.solve_once(b[0], once);
        CHECK(residual_of(matrix, b[0], once) < 1e-12);
        CHECK(figures.bytes > 0);
      }
    }
}

TEST_CASE("cuDSS and MUMPS give the same solutions of an indefinite complex system and the same inertia") {
  const auto device = device_or_word();
  if (!device || !has_direct_solver()) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz<Complex>(box, pattern, 1.5);
  const std::vector<std::vector<Complex>> b{make_vector<Complex>(points, 1)};
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(points)), expected = x;
  LinearSolver<Complex>(direct(), {1, device}, pattern).solve(matrix, b, x);
  LinearSolver<Complex>(direct(), SolverMachine(1), pattern).solve(matrix, b, expected);
  CHECK(distance(x[0], expected[0]) < 1e-11);
  const CsrMatrix<double> real = make_indefinite(pattern);
  const auto self = comm::Communicator::self();
  const auto on_gpu = make_direct_solver<double>({&pattern}, {1, device}, self);
  const auto on_cpu = make_direct_solver<double>({&pattern}, SolverMachine(1), self);
  on_gpu->factorise(real);
  on_cpu->factorise(real);
  REQUIRE(on_gpu->negative_pivots());
  CHECK(*on_gpu->negative_pivots() == *on_cpu->negative_pivots());
  CHECK(*on_gpu->negative_pivots() == points / 3);
}

TEST_CASE("an analysis that has begun beside other work gives the solution of one that is waited for") {
  const auto device = device_or_word();
  if (!device) return;
  const CsrPattern pattern = make_pattern(box);
  const CsrMatrix<Complex> matrix = make_helmholtz<Complex>(box, pattern, 1.5);
  const std::vector<std::vector<Complex>> b{make_vector<Complex>(points, 1)};
  std::vector<std::vector<Complex>> waited(1, std::vector<Complex>(points)), beside = waited;
  LinearSolver<Complex>(direct(), {2, device}, pattern).solve(matrix, b, waited);
  LinearSolver<Complex> solver(direct(), {2, device}, pattern);
  solver.begin_analysis();
  solver.begin_analysis();  // once is enough
  solver.solve(matrix, b, beside);
  CHECK(residual_of(matrix, b[0], beside[0]) < 1e-12);
  CHECK(distance(beside[0], waited[0]) < 1e-12);
  double seconds = 0;
  for (const auto& [part, of_part] : solver.parts()) seconds += part == "factorisation" ? of_part : 0;
  CHECK(seconds > 0);
  LinearSolver<Complex> unused(direct(), {2, device}, pattern);
  unused.begin_analysis();  // ends with its solver
}

TEST_CASE("factors that do not fit into the limit are kept on the host, and too small a limit is refused") {
  if (!device_or_word()) return;
  const Grid large{30, 31, 32};
  const CsrPattern pattern = make_pattern(large);
  const auto rows = static_cast<std::size_t>(pattern.rows());
  const CsrMatrix<Complex> matrix = make_helmholtz<Complex>(large, pattern, 0.9);
  const std::vector<std::vector<Complex>> b{make_vector<Complex>(rows, 1)};
  std::vector<std::vector<Complex>> x(1, std::vector<Complex>(rows));
  LinearSolver<Complex> whole(direct(), {1, device_or_word()}, pattern);
  const std::int64_t all = whole.solve(matrix, b, x).bytes;
  LinearSolver<Complex> limited(direct(), {1, device_or_word({1, all * 3 / 4})}, pattern);
  std::vector<std::vector<Complex>> y(1, std::vector<Complex>(rows));
  CHECK(limited.solve(matrix, b, y).residual[0] < 1e-12);
  CHECK(distance(x[0], y[0]) < 1e-11);
  LinearSolver<Complex> none(direct(), {1, device_or_word({1, 100'000})}, pattern);
  const Failure failure = catch_failure([&] { (void)none.solve(matrix, b, y); });
  CHECK(failure.code == ExitCode::out_of_memory);
  CHECK_THAT(failure.text, ContainsSubstring("solver.precision: mixed"));
}

TEST_CASE("cuDSS refuses matrices that are singular or not positive definite") {
  const auto device = device_or_word();
  if (!device) return;
  const CsrPattern pattern = make_pattern(box);
  const std::vector<std::vector<double>> b{make_vector<double>(points, 1)};
  std::vector<std::vector<double>> x(1, std::vector<double>(points));
  const CsrMatrix<double> singular{&pattern, UnsetVector<double>(pattern.column.size(), 0)};
  for (const auto& [kind, wrong] : {std::pair(MatrixKind::positive_definite, make_indefinite(pattern)),
                                    std::pair(MatrixKind::symmetric, singular)}) {
    LinearSolver<double> solver(direct(), {1, device}, pattern, kind);
    const Failure failure = catch_failure([&] { (void)solver.solve(wrong, b, x); });
    CHECK(failure.code == ExitCode::unstable);
  }
}
