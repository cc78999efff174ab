#include "fem/solvers/iterative_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tetrawave::fem {

namespace {

[[noreturn]] void fail_without_convergence(const SolverSpec& spec, const IterationOutcome& outcome) {
  const bool has_relaxation =
      spec.preconditioner == Preconditioner::ssor || spec.preconditioner == Preconditioner::ssor_ai;
  fail(ExitCode::unstable,
       "BiCGStab with solver.preconditioner: {} {} {} iterations: relative residual {:.3g}, solver.tolerance {:.3g}. "
       "Use {}another preconditioner, {}or solver.method: direct",
       name_of(spec.preconditioner),
       outcome.end == IterationEnd::limit ? "has not converged in" : "has broken down after", outcome.iterations,
       outcome.residual, spec.tolerance, has_relaxation ? "a solver.relaxation further below 1, " : "",
       outcome.end == IterationEnd::limit ? "a larger solver.max_iterations, " : "");
}

}  // namespace

template <class T>
IterativeSolver<T>::IterativeSolver(const SolverSpec& spec, const CsrPattern& pattern, const Subspace& coarse,
                                    ThreadTeam& team)
    : spec_(spec),
      diagonal_(find_diagonal(pattern)),
      scaling_(pattern, diagonal_, team),
      product_(make_row_product<T>(spec.format, MatrixPart::whole, pattern, team)),
      inverse_(make_approximate_inverse<T>(spec, pattern, coarse, team)),
      iteration_(*product_, *inverse_, weights_, team, diagonal_.size()),
      right_hand_side_(diagonal_.size()) {}

template <class T>
void IterativeSolver<T>::prepare(const CsrMatrix<T>& matrix) {
  if (spec_.diagonal_scaling) {
    scaling_.scale(matrix, scaled_);
    weights_ = scaling_.weights();
  }
  solved_ = spec_.diagonal_scaling ? &scaled_ : &matrix;
  product_->set_values(solved_->values);
  is_fresh_ = !(serves_ && inverse_->follow(*solved_));
  if (is_fresh_) {
    inverse_->set_matrix(*solved_);
    fresh_pace_ = 0;
  }
  serves_ = true;
}

/// With a preconditioner of another matrix not for long: then with its own.
template <class T>
IterationOutcome IterativeSolver<T>::run(const std::vector<T>& b, std::vector<T>& x) {
  constexpr double patience = 3;
  history_ = {};
  std::int64_t spent = 0;
  if (!is_fresh_) {
    const double most = patience * fresh_pace_ * -std::log10(spec_.tolerance) + 10;
    const auto limit = std::min(spec_.max_iterations, static_cast<std::int64_t>(most));
    const IterationOutcome outcome = iteration_.solve({spec_.tolerance, limit}, b, x, history_);
    if (outcome.end == IterationEnd::converged) return outcome;
    spent = outcome.iterations;
    is_fresh_ = true;
    fresh_pace_ = 0;
    inverse_->set_matrix(*solved_);
    if (!(outcome.residual < 1)) std::fill(x.begin(), x.end(), T(0));
  }
  IterationOutcome outcome = iteration_.solve({spec_.tolerance, spec_.max_iterations - spent}, b, x, history_);
  outcome.iterations += spent;
  return outcome;
}

template <class T>
void IterativeSolver<T>::judge(const IterationOutcome& outcome) {
  constexpr double too_slow = 1.5;
  if (history_.values().empty()) return;
  const double digits = std::max(1., std::log10(history_.values().front() / outcome.residual));
  const double pace = static_cast<double>(outcome.iterations) / digits;
  if (is_fresh_)
    fresh_pace_ = std::max(fresh_pace_, pace);
  else if (pace > too_slow * fresh_pace_ + 1)
    serves_ = false;
}

template <class T>
std::int64_t IterativeSolver<T>::solve(const std::vector<T>& b, std::vector<T>& x) {
  if (spec_.diagonal_scaling) {
    scaling_.scale_right_hand_side(b, right_hand_side_);
    scaling_.scale_solution(x);
  }
  const IterationOutcome outcome = run(spec_.diagonal_scaling ? right_hand_side_ : b, x);
  if (outcome.end != IterationEnd::converged) fail_without_convergence(spec_, outcome);
  judge(outcome);
  if (spec_.diagonal_scaling) scaling_.restore_solution(x);
  return outcome.iterations;
}

template <class T>
void IterativeSolver<T>::iterate(const std::vector<T>& b, std::vector<T>& x, std::int64_t count) {
  ResidualHistory unread;
  (void)iteration_.solve({0, count}, b, x, unread);
}

template <class T>
std::int64_t IterativeSolver<T>::bytes() const {
  constexpr std::size_t per_row =
      8 + sizeof(T) + 8 + 8 + sizeof(T);  // diagonal, factors, weights twice, right-hand side
  return static_cast<std::int64_t>(sizeof(T) * scaled_.values.size() + per_row * diagonal_.size()) + product_->bytes() +
         inverse_->bytes() + iteration_.bytes();
}

template class IterativeSolver<double>;
template class IterativeSolver<Complex>;

}  // namespace tetrawave::fem
