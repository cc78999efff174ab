#include "fem/solvers/iterative_solver.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/stopwatch.hpp"

namespace tetrawave::fem {

void fail_without_convergence(Preconditioner preconditioner, double tolerance, const IterationOutcome& outcome) {
  const bool has_relaxation = preconditioner == Preconditioner::ssor || preconditioner == Preconditioner::ssor_ai;
  fail(ExitCode::unstable,
       "BiCGStab with solver.preconditioner: {} {} {} iterations: relative residual {:.3g}, solver.tolerance {:.3g}. "
       "Use {}another preconditioner, {}or solver.method: direct",
       name_of(preconditioner), outcome.end == IterationEnd::limit ? "has not converged in" : "has broken down after",
       outcome.iterations, outcome.residual, tolerance, has_relaxation ? "a solver.relaxation further below 1, " : "",
       outcome.end == IterationEnd::limit ? "a larger solver.max_iterations, " : "");
}

namespace {

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_inverse(const IterationRequest& request, const Subspace& coarse,
                                                    ThreadTeam& team) {
  SolverOptions spec;
  spec.preconditioner = request.preconditioner;
  spec.relaxation = request.relaxation;
  spec.format = request.format;
  spec.fill_in = request.fill_in;
  return make_approximate_inverse<T>(spec, *request.pattern, coarse, team);
}

}  // namespace

template <class T>
IterativeSolver<T>::IterativeSolver(const IterationRequest& request, const Subspace& coarse, ThreadTeam& team,
                                    std::unique_ptr<ApproximateInverse<T>> inverse)
    : request_(request),
      diagonal_(find_diagonal(*request.pattern)),
      scaling_(*request.pattern, diagonal_, team),
      product_(make_row_product<T>(request.format, MatrixPart::whole, *request.pattern, team)),
      inverse_(inverse ? std::move(inverse) : make_inverse<T>(request, coarse, team)),
      iteration_(*product_, *inverse_, weights_, team, diagonal_.size()),
      right_hand_side_(diagonal_.size()) {}

template <class T>
void IterativeSolver<T>::prepare(const CsrMatrix<T>& matrix) {
  if (request_.scales) {
    scaling_.scale(matrix, scaled_);
    weights_ = scaling_.weights();
  }
  solved_ = request_.scales ? &scaled_ : &matrix;
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
    const double most = patience * fresh_pace_ * -std::log10(request_.tolerance) + 10;
    const auto limit = std::min(request_.max_iterations, static_cast<std::int64_t>(most));
    const IterationOutcome outcome = iteration_.solve({request_.tolerance, limit}, b, x, history_);
    if (outcome.end == IterationEnd::converged) return outcome;
    spent = outcome.iterations;
    is_fresh_ = true;
    fresh_pace_ = 0;
    inverse_->set_matrix(*solved_);
    if (!(outcome.residual < 1)) std::fill(x.begin(), x.end(), T(0));
  }
  IterationOutcome outcome = iteration_.solve({request_.tolerance, request_.max_iterations - spent}, b, x, history_);
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
std::vector<IterationCourse> IterativeSolver<T>::solve(const Sides& b, const Solutions& x) {
  std::vector<IterationCourse> courses;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::int64_t iterations = solve_one(*b[k], *x[k]);
    courses.push_back({iterations, history_});
  }
  return courses;
}

template <class T>
std::int64_t IterativeSolver<T>::solve_one(const std::vector<T>& b, std::vector<T>& x) {
  if (request_.scales) {
    scaling_.scale_right_hand_side(b, right_hand_side_);
    scaling_.scale_solution(x);
  }
  const IterationOutcome outcome = run(request_.scales ? right_hand_side_ : b, x);
  if (outcome.end != IterationEnd::converged)
    fail_without_convergence(request_.preconditioner, request_.tolerance, outcome);
  judge(outcome);
  if (request_.scales) scaling_.restore_solution(x);
  return outcome.iterations;
}

template <class T>
void IterativeSolver<T>::iterate(const Sides& b, const Solutions& x, std::int64_t count) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    ResidualHistory unread;
    (void)iteration_.solve({0, count}, *b[k], *x[k], unread);
  }
}

template <class T>
double IterativeSolver<T>::time_product(std::int64_t products) {
  const std::vector<T> x(diagonal_.size(), T(1));
  Stopwatch watch;
  for (std::int64_t k = 0; k < products; ++k) product_->multiply(x, right_hand_side_);
  return watch.lap() / static_cast<double>(products);
}

template <class T>
std::int64_t IterativeSolver<T>::bytes() const {
  constexpr std::size_t per_row =
      8 + sizeof(T) + 8 + 8 + sizeof(T);  // diagonal, factors, weights twice, right-hand side
  return static_cast<std::int64_t>(sizeof(T) * scaled_.values.size() + per_row * diagonal_.size()) + product_->bytes() +
         inverse_->bytes() + iteration_.bytes();
}

namespace {

struct OwnTeam {
  ThreadTeam team;
  Subspace none;
};

template <class T>
class HostIteration final : OwnTeam, public IterativeSolver<T> {
 public:
  explicit HostIteration(const IterationRequest& request)
      : OwnTeam{ThreadTeam(useful_threads(request.pattern->rows(), request.threads)), {}},
        IterativeSolver<T>(request, none, team) {}
};

}  // namespace

template <class T>
std::unique_ptr<SystemIteration<T>> make_iteration(const IterationRequest& request, const IterationDevice* device) {
  if constexpr (std::is_same_v<T, double>) {
    if (device != nullptr) return device->make_real(request);
  } else {
    if (device != nullptr) return device->make_complex(request);
  }
  return std::make_unique<HostIteration<T>>(request);
}

template std::unique_ptr<SystemIteration<double>> make_iteration(const IterationRequest&, const IterationDevice*);
template std::unique_ptr<SystemIteration<Complex>> make_iteration(const IterationRequest&, const IterationDevice*);
template class IterativeSolver<double>;
template class IterativeSolver<Complex>;

}  // namespace tetrawave::fem
