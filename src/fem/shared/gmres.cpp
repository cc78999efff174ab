#include "fem/shared/gmres.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::fem {

namespace {

/// Turns (a, b) into (r, 0): r = c a + s b, with c real.
template <class T>
struct Rotation {
  double c = 1;
  T s{};

  Rotation(T a, T b) {
    const double length = std::sqrt(square(a) + square(b));
    if (square(a) == 0) {
      c = 0;
      s = 1.;
    } else {
      c = std::abs(a) / length;
      s = a / std::abs(a) * conjugate(b) / length;
    }
  }
  void turn(T& a, T& b) const {
    const T first = c * a + s * b;
    b = -conjugate(s) * a + c * b;
    a = first;
  }
  static double conjugate(double v) { return v; }
  static Complex conjugate(Complex v) { return std::conj(v); }
};

}  // namespace

template <class T>
Gmres<T>::Gmres(RowProduct<T>& matrix, ApproximateInverse<T>& inverse, ThreadTeam& team, std::size_t rows,
                RankSums& ranks)
    : matrix_(matrix), inverse_(inverse), ranks_(ranks), vectors_(team, rows), work_(rows), preconditioned_(rows) {}

template <class T>
double Gmres<T>::norm(const std::vector<T>& v) {
  auto sum = vectors_.sum<1>([&](std::size_t i, auto& part) { part[0] += square(v[i]); });
  ranks_.add_up(sum);
  return std::sqrt(sum[0]);
}

/// Takes the first vectors of the basis off v, twice, as rounding asks for; returns their coefficients. One sum over
/// ranks each time.
template <class T>
std::vector<T> Gmres<T>::project(std::vector<T>& v, std::size_t count) {
  std::vector<T> all(count, T(0));
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> sums;
    for (std::size_t k = 0; k < count; ++k) {
      const auto part = vectors_.sum<parts_of<T>>(
          [&](std::size_t i, auto& sum) { add_parts(times_conjugate(basis_[k][i], v[i]), sum.data()); });
      sums.insert(sums.end(), part.begin(), part.end());
    }
    ranks_.add_up(sums);
    for (std::size_t k = 0; k < count; ++k) {
      const T coefficient = join_parts<T>(sums.data() + k * parts_of<T>);
      vectors_.for_each([&](std::size_t i) { v[i] -= times(coefficient, basis_[k][i]); });
      all[k] += coefficient;
    }
  }
  return all;
}

/// From work_ = b - A x of this norm. Returns the number of vectors, of which the residual is below the target or which
/// are as many as there may be.
template <class T>
std::size_t Gmres<T>::grow(double target, double beta, std::int64_t most, double norm_b, ResidualHistory& history) {
  std::vector<Rotation<T>> rotations;
  columns_.clear();
  side_.assign(1, T(beta));
  const std::size_t limit = std::min(restart, static_cast<std::size_t>(most));
  double length = beta;
  for (std::size_t k = 0; k < limit; ++k) {
    if (basis_.size() == k) basis_.emplace_back(vectors_.size());
    vectors_.for_each([&](std::size_t i) { basis_[k][i] = work_[i] / length; });
    inverse_.apply(basis_[k], preconditioned_);
    matrix_.multiply(preconditioned_, work_);
    std::vector<T> column = project(work_, k + 1);
    length = norm(work_);
    column.push_back(T(length));
    for (std::size_t r = 0; r < rotations.size(); ++r) rotations[r].turn(column[r], column[r + 1]);
    rotations.emplace_back(column[k], column[k + 1]);
    rotations.back().turn(column[k], column[k + 1]);
    side_.push_back(T(0));
    rotations.back().turn(side_[k], side_[k + 1]);
    columns_.push_back(std::move(column));
    const double residual = std::abs(side_[k + 1]);
    history.add(residual / norm_b);
    if (residual <= target || length == 0) return k + 1;
  }
  return limit;
}

/// x += M^-1 V y, y of the triangular system.
template <class T>
void Gmres<T>::update(std::size_t count, std::vector<T>& x) {
  std::vector<T> y(side_.begin(), side_.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t k = count; k-- > 0;) {
    y[k] /= columns_[k][k];
    for (std::size_t r = 0; r < k; ++r) y[r] -= times(columns_[k][r], y[k]);
  }
  vectors_.for_each([&](std::size_t i) {
    T sum(0);
    for (std::size_t k = 0; k < count; ++k) sum += times(y[k], basis_[k][i]);
    work_[i] = sum;
  });
  inverse_.apply(work_, preconditioned_);
  vectors_.for_each([&](std::size_t i) { x[i] += preconditioned_[i]; });
}

template <class T>
IterationOutcome Gmres<T>::solve(const IterationLimits& limits, const std::vector<T>& b, std::vector<T>& x,
                                 ResidualHistory& history) {
  constexpr double stalled = 0.999;  // of the residual, left by a cycle
  IterationOutcome outcome;
  const double norm_b = norm(b), target = limits.tolerance * norm_b;
  if (norm_b == 0) {
    vectors_.for_each([&](std::size_t i) { x[i] = T(0); });
    return outcome;
  }
  matrix_.subtract(1, b, 1, x, work_);
  double residual = norm(work_);
  history.add(residual / norm_b);
  while (!(residual <= target)) {  // NaN is not
    if (outcome.iterations >= limits.most) {
      outcome.end = IterationEnd::limit;
      break;
    }
    const std::size_t count = grow(target, residual, limits.most - outcome.iterations, norm_b, history);
    outcome.iterations += static_cast<std::int64_t>(count);
    update(count, x);
    matrix_.subtract(1, b, 1, x, work_);
    const double before = residual;
    residual = norm(work_);
    if (!(residual < stalled * before)) {
      outcome.end = IterationEnd::breakdown;
      break;
    }
  }
  outcome.residual = residual / norm_b;
  return outcome;
}

template class Gmres<double>;
template class Gmres<Complex>;

}  // namespace tetrawave::fem
