#include "fem/solvers/small_eigenproblem.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace tetrawave::fem {

namespace {

using Number = std::complex<double>;
using Pairs = std::vector<SmallPair>;

/// u with u^2 = lambda in the right half-plane.
Number right_root_of(Number lambda) {
  const Number u = std::sqrt(lambda);
  return u.real() < 0 ? -u : u;
}

/// (R(shift) + (u^2 - shift^2) dR/du^2) y = 0 for real R: self-adjoint, as -dR/du^2 = M is positive definite.
Pairs pairs_of_real_pencil(const SmallEigenproblem& problem, double shift) {
  const Eigen::MatrixXd stiffness = problem.matrix(shift).real();
  const Eigen::MatrixXd mass = -problem.derivative(shift).real() / (2 * shift);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, mass);
  Pairs pairs;
  for (Eigen::Index k = 0; k < stiffness.cols(); ++k)
    pairs.push_back({right_root_of(shift * shift + solver.eigenvalues()[k]),
                     solver.eigenvectors().col(k).normalized().cast<Number>()});
  return pairs;
}

Pairs pairs_of_pencil(const SmallEigenproblem& problem, double shift) {
  const Eigen::MatrixXcd slope = problem.derivative(shift) / (2 * shift);
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(-problem.matrix(shift).partialPivLu().solve(slope));
  Pairs pairs;
  for (Eigen::Index k = 0; k < slope.cols(); ++k)
    pairs.push_back({right_root_of(shift * shift + 1.0 / solver.eigenvalues()[k]), solver.eigenvectors().col(k)});
  return pairs;
}

/// Nonlinear inverse iteration, quadratic near an eigenpair.
std::optional<SmallPair> refine(const SmallEigenproblem& problem, SmallPair pair) {
  constexpr int most = 12;
  constexpr double settled = 1e-13, accepted = 1e-10, rounding = 1e-12;
  for (int k = 0; k < most; ++k) {
    const Eigen::VectorXcd next =
        problem.matrix(pair.value).partialPivLu().solve(problem.derivative(pair.value) * pair.vector);
    const Number change = pair.vector.squaredNorm() / pair.vector.dot(next);
    if (!next.allFinite() || !std::isfinite(std::abs(change))) return k > 0 ? std::optional(pair) : std::nullopt;
    pair.value -= change;
    pair.vector = next.normalized();
    if (!(pair.value.real() > 0)) return std::nullopt;
    if (!(std::abs(change) < (k + 1 < most ? settled : accepted) * std::abs(pair.value))) continue;
    if (problem.is_real && std::abs(pair.value.imag()) < rounding * pair.value.real()) pair.value.imag(0);
    return pair;
  }
  return std::nullopt;
}

/// Whether the vector is one of those with about this eigenvalue, or a combination of them.
bool is_known(const Pairs& pairs, const SmallPair& pair) {
  constexpr double near = 1e-5, independent = 1e-2;
  Eigen::MatrixXcd basis(pair.vector.size(), 0);
  const auto left_of = [&](Eigen::VectorXcd x) {
    for (int pass = 0; pass < 2; ++pass) x -= basis * (basis.adjoint() * x).eval();
    return x;
  };
  for (const SmallPair& other : pairs) {
    if (std::abs(other.value - pair.value) > near * std::abs(pair.value)) continue;
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1).setZero();
    basis.col(basis.cols() - 1) = left_of(other.vector).normalized();
  }
  return left_of(pair.vector).norm() < independent;
}

/// Not overdamped, and not growing but for what a poor space makes of it.
bool oscillates(const SmallPair& pair, double slack) {
  constexpr double growth = 0.05;
  return pair.value.imag() <= slack * pair.value.real() && pair.value.imag() >= -growth * slack * pair.value.real();
}

void sort_by_distance(Pairs& pairs, double target) {
  std::stable_sort(pairs.begin(), pairs.end(), [target](const SmallPair& a, const SmallPair& b) {
    return std::abs(a.value - target) < std::abs(b.value - target);
  });
}

}  // namespace

std::vector<SmallPair> solve_small(const SmallEigenproblem& problem, double shift, double target, std::size_t count,
                                   const std::vector<SmallPair>& known) {
  const bool is_self_adjoint = problem.is_quadratic && problem.is_real;
  Pairs starts = is_self_adjoint ? pairs_of_real_pencil(problem, shift) : pairs_of_pencil(problem, shift);
  std::erase_if(starts, [&](const SmallPair& pair) {
    return !std::isfinite(std::abs(pair.value)) || !oscillates(pair, 2) || problem.is_spurious(pair.vector);
  });
  sort_by_distance(starts, target);
  if (problem.is_quadratic) {
    if (starts.size() > count) starts.resize(count);
    return starts;
  }
  Pairs found;
  const auto add = [&](const SmallPair& start) {
    const std::optional<SmallPair> pair = refine(problem, start);
    if (pair && oscillates(*pair, 1) && !problem.is_spurious(pair->vector) && !is_known(found, *pair))
      found.push_back(*pair);
  };
  for (const SmallPair& start : known) add(start);
  constexpr std::size_t more = 6;  // Newton's iteration may change their order, and lead many to none
  for (std::size_t k = 0; k < starts.size() && (k < count + more || found.size() < count); ++k) add(starts[k]);
  sort_by_distance(found, target);
  if (found.size() > count) found.resize(count);
  return found;
}

int count_in_disc(const SmallEigenproblem& problem, double centre, double radius, const Pairs& known) {
  // det R = product of the diagonal of U times the sign of the permutation; only its argument counts.
  const auto argument_at = [&](double angle) {
    const Number u = centre + std::polar(radius, angle);
    const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(problem.matrix(u));
    double sum = factors.permutationP().determinant() < 0 ? std::numbers::pi : 0;
    for (const Number& pivot : factors.matrixLU().diagonal()) sum += std::arg(pivot);
    for (const SmallPair& pair : known) sum -= std::arg(u - pair.value);
    return sum;
  };
  const auto step_between = [](double from, double to) { return std::remainder(to - from, 2 * std::numbers::pi); };
  const std::function<double(double, double, double, double, int)> turn = [&](double a, double at_a, double b,
                                                                              double at_b, int depth) -> double {
    const double middle = (a + b) / 2, at_middle = argument_at(middle);
    const double first = step_between(at_a, at_middle), second = step_between(at_middle, at_b);
    if (depth == 0 || (std::abs(first) < 1 && std::abs(second) < 1)) return first + second;
    return turn(a, at_a, middle, at_middle, depth - 1) + turn(middle, at_middle, b, at_b, depth - 1);
  };
  constexpr int arcs = 16, depth = 14;
  double sum = 0, at_a = argument_at(0);
  for (int k = 0; k < arcs; ++k) {
    const double a = 2 * std::numbers::pi * k / arcs, b = 2 * std::numbers::pi * (k + 1) / arcs;
    const double at_b = argument_at(b);
    sum += turn(a, at_a, b, at_b, depth);
    at_a = at_b;
  }
  const auto inside = std::count_if(known.begin(), known.end(),
                                    [&](const SmallPair& pair) { return std::abs(pair.value - centre) < radius; });
  return static_cast<int>(inside + std::lround(sum / (2 * std::numbers::pi)));
}

}  // namespace tetrawave::fem
