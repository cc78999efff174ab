// The direct solver on several ranks: the first has the systems, all the factors.
#include "fem/solvers/linear_solver.hpp"

#include <limits>

#include "catch.hpp"
#include "comm/communicator.hpp"
#include "failure.hpp"
#include "unit/fem/edge/helmholtz.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;
using comm::Communicator;

namespace {

constexpr Grid box{14, 13, 12};

SolverOptions make_spec(SolverMethod method) {
  SolverOptions spec;
  spec.method = method;
  spec.tolerance = 1e-10;
  return spec;
}

MatrixKind kind_of(double) { return MatrixKind::positive_definite; }
MatrixKind kind_of(Complex) { return MatrixKind::symmetric; }

/// What a rank gives: the first a system, the others nothing.
template <class T>
struct Share {
  Communicator ranks = Communicator::world();
  bool has_system = ranks.rank() == 0;
  CsrPattern pattern = has_system ? make_pattern(box) : CsrPattern{};
  std::size_t rows = static_cast<std::size_t>(pattern.rows());

  [[nodiscard]] CsrMatrix<T> matrix(double kh) const {
    return has_system ? make_helmholtz<T>(box, pattern, kh) : CsrMatrix<T>{&pattern, {}};
  }
  [[nodiscard]] std::vector<T> vector(int seed) const { return make_vector<T>(rows, seed); }
  [[nodiscard]] LinearSolver<T> solver(const SolverOptions& spec) const {
    return LinearSolver<T>(spec, SolverMachine(1), pattern, kind_of(T()), ranks);
  }
};

template <class T>
double residual_of(const CsrMatrix<T>& matrix, const std::vector<T>& b, const std::vector<T>& x) {
  const CsrPattern& pattern = *matrix.pattern;
  std::vector<T> product(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (auto k = static_cast<std::size_t>(pattern.first[i]); k < static_cast<std::size_t>(pattern.first[i + 1]); ++k)
      product[i] += matrix.values[k] * x[static_cast<std::size_t>(pattern.column[k])];
  return x.empty() ? 0 : distance(product, b);
}

/// "code: text" of a failure that must be the same on all ranks.
template <class Work>
std::string shared_failure(const Communicator& ranks, const Work& work) {
  const Failure failure = catch_failure(work);
  const std::string text = tetrawave::format("{}: {}", static_cast<int>(failure.code), failure.text);
  std::string first = text;
  ranks.broadcast(first);
  CHECK(first == text);
  return text;
}

}  // namespace

TEMPLATE_TEST_CASE("the ranks of a direct solver solve the system of the first, one matrix after the other", "", double,
                   Complex) {
  if (!has_direct_solver()) return;
  const Share<TestType> share;
  auto solver = share.solver(make_spec(SolverMethod::direct));
  for (const double kh : {0.4, 0.9}) {
    const auto matrix = share.matrix(kh);
    const std::vector<std::vector<TestType>> b{share.vector(1), share.vector(2)}, again{share.vector(3)};
    std::vector<std::vector<TestType>> x(2, share.vector(5)), y(1, share.vector(6));
    const LinearFigures figures = solver.solve(matrix, b, x);
    for (const std::size_t k : {0, 1}) {
      CHECK(residual_of(matrix, b[k], x[k]) < 1e-13);
      CHECK(figures.residual[k] < 1e-13);
    }
    (void)solver.solve_again(again, y);
    CHECK(residual_of(matrix, again[0], y[0]) < 1e-13);
    CHECK(figures.bytes > 0);
    for (const int seed : {7, 8, 9}) {
      CHECK(solver.solve_once(share.vector(seed), x[0]) == 0);
      CHECK(residual_of(matrix, share.vector(seed), x[0]) < 1e-12);
    }
  }
}

TEMPLATE_TEST_CASE("with an iteration the first rank solves alone, to the same bits", "", double, Complex) {
  const Share<TestType> share;
  const SolverOptions spec = make_spec(SolverMethod::bicgstab);
  auto together = share.solver(spec);
  LinearSolver<TestType> alone(spec, SolverMachine(1), share.pattern);
  const auto matrix = share.matrix(0.8);
  const std::vector<std::vector<TestType>> b{share.vector(1)};
  std::vector<std::vector<TestType>> x(1, std::vector<TestType>(share.rows)), y = x;
  CHECK(together.solve(matrix, b, x).iterations == alone.solve(matrix, b, y).iterations);
  CHECK(x == y);
  CHECK(together.solve_once(share.vector(2), x[0]) == alone.solve_once(share.vector(2), y[0]));
  CHECK(x == y);
  CHECK(residual_of(matrix, share.vector(2), x[0]) <= 1.001 * spec.tolerance);
}

TEMPLATE_TEST_CASE("what fails in a solver fails on all ranks", "", double, Complex) {
  const Share<TestType> share;
  const auto good = share.matrix(0.8);
  auto bad = good;  // the first unknown has no equation
  for (std::size_t i = 0; i < share.rows; ++i)
    for (auto k = share.pattern.first[i]; k < share.pattern.first[i + 1]; ++k)
      if (i == 0 || share.pattern.column[static_cast<std::size_t>(k)] == 0) bad.values[static_cast<std::size_t>(k)] = 0;
  const std::vector<std::vector<TestType>> b{share.vector(1)};
  std::vector<std::vector<TestType>> x(1, std::vector<TestType>(share.rows));
  SolverOptions few = make_spec(SolverMethod::bicgstab);
  few.max_iterations = 2;
  auto iterative = share.solver(few);
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)iterative.solve(bad, b, x); }), ContainsSubstring("76: "));
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)iterative.solve(good, b, x); }),
             ContainsSubstring("2 iterations"));
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)iterative.solve_once(b[0], x[0]); }),
             ContainsSubstring("2 iterations"));
  if (!has_direct_solver()) return;
  auto direct = share.solver(make_spec(SolverMethod::direct));
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)direct.solve(bad, b, x); }), ContainsSubstring("singular"));
  auto lost = b;
  for (TestType& value : lost[0]) value = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)direct.solve(good, lost, x); }), ContainsSubstring("residual"));
  (void)direct.solve(good, b, x);  // as if nothing had been
  CHECK(residual_of(good, b[0], x[0]) < 1e-13);
}

TEST_CASE("a matrix that is not positive definite is refused on all ranks") {
  if (!has_direct_solver()) return;
  const Share<double> share;
  auto solver = share.solver(make_spec(SolverMethod::direct));
  auto matrix = share.matrix(0.8);
  for (double& value : matrix.values) value = -value;
  const std::vector<std::vector<double>> b{share.vector(1)};
  std::vector<std::vector<double>> x(1, std::vector<double>(share.rows));
  CHECK_THAT(shared_failure(share.ranks, [&] { (void)solver.solve(matrix, b, x); }),
             ContainsSubstring("not positive definite"));
}
