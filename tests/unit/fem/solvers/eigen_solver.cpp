#include "fem/solvers/eigen_solver.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "fem/solvers/linear_solver.hpp"
#include "fem/solvers/small_eigenproblem.hpp"

using namespace tetrawave;
using fem::Complex;

namespace {

/// Full matrices of 30 rows: K with five static vectors, M = 1 and losses C, u K-like.
struct Dense {
  static constexpr Eigen::Index rows = 30, still = 5;
  Eigen::MatrixXd stiffness, losses;
  fem::CsrPattern pattern;

  Dense() {
    std::srand(7);
    const Eigen::MatrixXd random = Eigen::MatrixXd::Random(rows, rows);
    const Eigen::MatrixXd basis = random.householderQr().householderQ();
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(rows);
    for (Eigen::Index k = still; k < rows; ++k)  // two of each
      squares[k] = std::pow(0.6 + 0.15 * std::floor(static_cast<double>(k - still) / 2), 2);
    stiffness = basis * squares.asDiagonal() * basis.transpose();
    losses = 0.02 * stiffness * stiffness;
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index k = 0; k < rows; ++k) pattern.column.push_back(static_cast<std::int32_t>(k));
      pattern.first.push_back(static_cast<std::int64_t>((i + 1) * rows));
    }
  }

  [[nodiscard]] fem::CsrMatrix<Complex> sparse(const Eigen::MatrixXd& matrix) const {
    fem::CsrMatrix<Complex> result{&pattern, {}};
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index k = 0; k < rows; ++k) result.values.emplace_back(matrix(i, k));
    return result;
  }

  /// K - u^2 + j u lossy C.
  [[nodiscard]] fem::MatrixFunction function(bool lossy) const {
    fem::MatrixFunction result;
    result.terms = {sparse(stiffness), sparse(Eigen::MatrixXd::Identity(rows, rows)), sparse(losses)};
    result.weights = [lossy](Complex u) {
      return std::vector<Complex>{1, -u * u, lossy ? Complex(0, 1) * u : Complex(0)};
    };
    result.curls = sparse(stiffness);
    result.is_real = result.is_quadratic = !lossy;
    return result;
  }
};

/// u^2 - j u 0.02 s^2 - s = 0 for s of K.
Complex root_with_losses(double s) {
  const Complex half(0, 0.01 * s * s);
  return half + std::sqrt(half * half + s);
}

std::vector<fem::EigenPair> find(const Dense& dense, bool lossy, std::size_t count, fem::EigenOutcome& outcome) {
  SolverOptions solver;
  solver.method = SolverMethod::direct;
  fem::EigenOptions options;
  options.count = count;
  options.shift = 1.00037;
  const fem::MatrixFunction function = dense.function(lossy);
  const auto solves = [&]<class T>(T /*number*/) {
    return fem::fixed_solver<T>(
        std::make_shared<fem::LinearSolver<T>>(solver, options.machine, *function.curls.pattern));
  };
  options.make_real = [&] { return solves(0.0); };
  options.make_complex = [&] { return solves(Complex()); };
  outcome = fem::find_eigenpairs(function, options);
  auto pairs = outcome.pairs;
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.value.real() < b.value.real(); });
  return pairs;
}

}  // namespace

TEST_CASE("Double eigenvalues are found twice, static vectors never, and inertia counts them") {
  if (!fem::has_direct_solver()) return;
  const Dense dense;
  fem::EigenOutcome outcome;
  const auto pairs = find(dense, false, 8, outcome);
  REQUIRE(pairs.size() == 8);  // 0.75, 0.9, 1.05, 1.2, each twice
  for (std::size_t k = 0; k < 8; ++k)
    CHECK(std::abs(pairs[k].value - (0.75 + 0.15 * static_cast<double>(k / 2))) < 1e-12);
  CHECK(outcome.counted_by == fem::EigenCount::inertia);
  CHECK(outcome.counted == outcome.found_within);
  for (const auto& pair : pairs) CHECK(pair.residual < 1e-8);
}

TEST_CASE("Complex eigenvalues of a nonlinear problem are found and counted by a contour") {
  if (!fem::has_direct_solver()) return;
  const Dense dense;
  fem::EigenOutcome outcome;
  const auto pairs = find(dense, true, 6, outcome);
  REQUIRE(pairs.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    double nearest = 1;
    for (int s = 0; s < 12; ++s)
      nearest = std::min(nearest, std::abs(pairs[k].value - root_with_losses(std::pow(0.6 + 0.15 * s, 2))));
    CHECK(nearest < 1e-10);
    if (k % 2 == 1) CHECK(std::abs(pairs[k].value - pairs[k - 1].value) < 1e-10);
  }
  CHECK(outcome.counted_by == fem::EigenCount::contour);
  CHECK(outcome.counted == outcome.found_within);
}

TEST_CASE("Resonances behind many fields that only relax are found") {
  constexpr int relaxing = 20;
  const std::vector<Complex> wanted{{3, 0.1}, {4, 0.2}};
  const auto stiffness = [](int k) { return 0.15 + 0.005 * k; };  // k + 1.5 j u - u^2 = 0 has roots without a real part
  const auto diagonal = [&](const std::function<Complex(int)>& relaxes, const std::function<Complex(Complex)>& turns) {
    Eigen::VectorXcd values(relaxing + 2);
    for (int k = 0; k < relaxing; ++k) values[k] = relaxes(k);
    for (int k = 0; k < 2; ++k) values[relaxing + k] = turns(wanted[static_cast<std::size_t>(k)]);
    return Eigen::MatrixXcd(values.asDiagonal());
  };
  fem::SmallEigenproblem problem;
  problem.matrix = [&](Complex u) {
    return diagonal([&](int k) { return stiffness(k) + Complex(0, 1.5) * u - u * u; },
                    [&](Complex root) { return root * root - u * u; });
  };
  problem.derivative = [&](Complex u) {
    return diagonal([&](int) { return Complex(0, 1.5) - 2.0 * u; }, [&](Complex) { return -2.0 * u; });
  };
  problem.is_spurious = [](const Eigen::VectorXcd&) { return false; };
  const auto found = fem::solve_small(problem, 1, 1, 2, {});
  REQUIRE(found.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) CHECK(std::abs(found[k].value - wanted[k]) < 1e-12);
}
