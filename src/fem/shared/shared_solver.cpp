#include "fem/shared/shared_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "fem/shared/gmres.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/solvers/solver_rates.hpp"
#include "fem/sparse/device_matrix.hpp"

namespace tetrawave::fem {

namespace {

Complex root_of_diagonal(Complex d) { return std::sqrt(d); }
double root_of_diagonal(double d) { return std::sqrt(std::abs(d)); }

}  // namespace

/// The time of another preconditioner.
template <class T>
class ClockedInverse final : public ApproximateInverse<T> {
 public:
  ClockedInverse(std::unique_ptr<ApproximateInverse<T>> inverse, SharedSeconds& seconds)
      : inverse_(std::move(inverse)), seconds_(seconds) {}
  void set_matrix(const CsrMatrix<T>& matrix) override { inverse_->set_matrix(matrix); }
  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const SharedSeconds before = seconds_;
    Stopwatch watch;
    inverse_->apply(x, y);
    seconds_ = before;  // its own exchange is a part of it
    seconds_.preconditioner += watch.lap();
  }
  [[nodiscard]] std::int64_t bytes() const override { return inverse_->bytes(); }

 private:
  std::unique_ptr<ApproximateInverse<T>> inverse_;
  SharedSeconds& seconds_;
};

/// Scales to a unit diagonal, S A S with S = D^-1/2, in place.
template <class T>
class SharedScaling {
 public:
  void scale(SharedMatrix<T>& matrix, GhostValues<T>& ghosts) {
    const SharedPattern& pattern = *matrix.pattern;
    factor_.clear();
    weights_.clear();
    for (const std::int64_t k : find_diagonal(pattern.inner)) {
      const T d = matrix.inner.values[static_cast<std::size_t>(k)];
      factor_.push_back(d == T(0) ? T(1) : 1. / root_of_diagonal(d));
      weights_.push_back(1 / square(factor_.back()));
    }
    ghosts.start(factor_);
    scale_rows(pattern.inner, nullptr, factor_, matrix.inner.values);
    scale_rows(pattern.outer, &pattern.outer_row, ghosts.finish(), matrix.outer.values);
  }
  void scale_right_hand_side(std::vector<T>& b) const {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = times(factor_[i], b[i]);
  }
  void scale_solution(std::vector<T>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] /= factor_[i];
  }
  void restore_solution(std::vector<T>& x) const { scale_right_hand_side(x); }
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  /// S, of rows.
  [[nodiscard]] const std::vector<T>& factors() const { return factor_; }

 private:
  void scale_rows(const CsrPattern& pattern, const std::vector<std::int32_t>* row_of, const std::vector<T>& of_columns,
                  UnsetVector<T>& values) const {
    for (std::size_t i = 0; i + 1 < pattern.first.size(); ++i) {
      const T of_row = factor_[row_of == nullptr ? i : static_cast<std::size_t>((*row_of)[i])];
      for (auto k = static_cast<std::size_t>(pattern.first[i]); k < static_cast<std::size_t>(pattern.first[i + 1]); ++k)
        values[k] = times(times(of_row, of_columns[static_cast<std::size_t>(pattern.column[k])]), values[k]);
    }
  }

  std::vector<T> factor_;
  std::vector<double> weights_;
};

namespace {

[[noreturn]] void fail_without_shared_convergence(const SolverOptions& spec, const IterationOutcome& outcome,
                                                  int ranks) {
  fail(ExitCode::unstable,
       "{} with solver.preconditioner: {} on {} ranks {} {} iterations: relative residual {:.3g}, solver.tolerance "
       "{:.3g}. Use another preconditioner, {}or solver.method: direct",
       spec.method == SolverMethod::gmres ? "GMRES" : "BiCGStab", name_of(spec.preconditioner), ranks,
       outcome.end == IterationEnd::limit ? "has not converged in" : "has broken down after", outcome.iterations,
       outcome.residual, spec.tolerance, outcome.end == IterationEnd::limit ? "a larger solver.max_iterations, " : "");
}

}  // namespace

template <class T>
struct SharedSolver<T>::Impl {
  Impl(const SolverOptions& solver, const SolverMachine& machine, const CsrPattern& pattern_of_elements,
       MatrixKind kind, const SharedRows& shared_rows, std::unique_ptr<ApproximateInverse<T>> own_inverse)
      : spec(solver),
        elements(pattern_of_elements),
        rows(shared_rows),
        of_elements(rows),
        pattern(elements, rows),
        matrix(pattern, rows),
        exchange(rows, pattern.ghosts),
        ghosts(rows, exchange, spec.exchange, seconds),
        team(useful_threads(pattern.inner.rows(), machine.threads)),
        sums{rows.ranks},
        vectors(team, rows.own(), &sums),
        has_own_inverse(own_inverse != nullptr) {
    rows.ranks.agree([&] {
      if (is_on_device(spec, machine) && !has_own_inverse) return begin_on(*machine.iteration_device, machine.threads);
      product.emplace(spec.format, matrix, ghosts, seconds, team);
      if (spec.method == SolverMethod::direct) return;
      if (!has_own_inverse) own_inverse = make_shared_inverse<T>(spec, matrix, rows, ghosts, team);
      inverse.emplace(std::move(own_inverse), seconds);
      if (spec.method == SolverMethod::gmres)
        gmres.emplace(*product, *inverse, team, rows.own(), sums);
      else
        bicgstab.emplace(*product, *inverse, scales() ? scaling.weights() : no_weights, team, rows.own(), &sums);
    });
    if (spec.method == SolverMethod::direct)
      direct = make_direct_solver<T>({&elements, kind, spec.mixed_precision, rows.ranks.size() > 1 ? &rows : nullptr},
                                     machine, rows.ranks);
    if (on_device) on_device->open();
  }

  void begin_on(const IterationDevice& device, int threads) {
    joined = std::make_unique<JoinedRows<T>>(pattern, rows.begin());
    link.emplace(rows, ghosts);
    const IterationRequest request{&joined->pattern(), threads,     spec.preconditioner, spec.relaxation,
                                   scales(),           spec.format, spec.tolerance,      spec.max_iterations};
    if constexpr (std::is_same_v<T, double>)
      on_device = device.make_real(request, pattern.ghosts.size(), *link);
    else
      on_device = device.make_complex(request, pattern.ghosts.size(), *link);
  }

  [[nodiscard]] bool scales() const { return spec.diagonal_scaling && spec.method != SolverMethod::direct; }

  void prepare(const CsrMatrix<T>& given) {
    CsrMatrix<T> copy;  // of a device: ranks exchange what the host has
    rows.ranks.agree([&] {
      if (given.on_device == nullptr) return;
      copy = given;
      bring_to_host(copy);
    });
    const CsrMatrix<T>& of_these = given.on_device == nullptr ? given : copy;
    matrix.set(of_these);
    const SharedSeconds before = seconds;
    if (scales()) scaling.scale(matrix, ghosts);
    has_elements = false;
    if (on_device) {
      seconds = before;  // the parts of an iteration add up to it
      return rows.ranks.agree([&] { on_device->set_matrix(joined->join(matrix), scaling.weights()); });
    }
    product->set_values(matrix.inner.values);
    if (direct)
      direct->factorise(of_these);
    else if (has_own_inverse)
      inverse->set_matrix(of_these);
    else
      rows.ranks.agree([&] { inverse->set_matrix(matrix.inner); });
  }

  /// As LinearSolver has it.
  std::vector<double> solve_directly(const std::vector<std::vector<T>>& b, std::vector<std::vector<T>>& x) {
    constexpr int most_passes = 12;
    constexpr double enough = 1e-13;
    std::vector<double> residuals(b.size(), 0);
    for (auto& solution : x) solution.assign(rows.own(), T(0));
    double largest = 0;
    for (int pass = 0; pass < (spec.mixed_precision ? most_passes : 2); ++pass) {
      const double before = largest;
      residuals = gather_residuals(b, x, pass == 0);
      largest = residuals.empty() ? 0 : *std::max_element(residuals.begin(), residuals.end());
      if (spec.mixed_precision && pass > 0 && (largest < enough || (pass > 1 && largest > 0.5 * before))) break;
      if (b.empty()) continue;
      direct->solve(columns, static_cast<std::int32_t>(b.size()));
      for (std::size_t k = 0; k < b.size(); ++k)
        vectors.for_each([&](std::size_t i) { x[k][i] += columns[k * rows.own() + i]; });
    }
    return gather_residuals(b, x, false);
  }

  /// Puts b - A x into `columns`; returns ||b - A x|| / ||b||, at first 0.
  std::vector<double> gather_residuals(const std::vector<std::vector<T>>& b, const std::vector<std::vector<T>>& x,
                                       bool is_first) {
    columns.resize(rows.own() * b.size());
    std::vector<double> result;
    std::vector<T> residual(rows.own());
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (is_first)
        residual = b[k];
      else
        product->subtract(1, b[k], 1, x[k], residual);
      std::copy(residual.begin(), residual.end(), columns.begin() + static_cast<std::ptrdiff_t>(k * rows.own()));
      const auto squares = vectors.template sum<2>([&](std::size_t i, auto& sum) {
        sum[0] += square(residual[i]);
        sum[1] += square(b[k][i]);
      });
      result.push_back(is_first || squares[1] == 0 ? 0 : std::sqrt(squares[0] / squares[1]));
    }
    return result;
  }

  IterationOutcome iterate(const IterationLimits& limits, std::vector<T>& b, std::vector<T>& x,
                           ResidualHistory& history) {
    if (scales()) {
      scaling.scale_right_hand_side(b);
      scaling.scale_solution(x);
    }
    const IterationOutcome outcome =
        on_device ? on_device->solve(limits, b, x, history)
                  : (gmres ? gmres->solve(limits, b, x, history) : bicgstab->solve(limits, b, x, history));
    if (scales()) scaling.restore_solution(x);
    return outcome;
  }

  IterationOutcome converge(std::vector<T>& b, std::vector<T>& x, ResidualHistory& history) {
    return check(iterate({spec.tolerance, spec.max_iterations}, b, x, history));
  }
  IterationOutcome check(const IterationOutcome& outcome) const {
    if (outcome.end != IterationEnd::converged) fail_without_shared_convergence(spec, outcome, rows.ranks.size());
    return outcome;
  }

  [[nodiscard]] std::int64_t count_bytes(std::size_t right_hand_sides) const {
    const std::size_t of_share =
        sizeof(T) * elements.column.size() + 4 * elements.column.size() + 8 * elements.first.size();
    const std::size_t copies = (direct ? 3 : 2) * right_hand_sides + 1;
    if (on_device)
      return static_cast<std::int64_t>(of_share + sizeof(T) * copies * rows.own()) + pattern.bytes() + matrix.bytes() +
             ghosts.bytes() + on_device->bytes();
    const std::int64_t iteration = gmres ? gmres->bytes() : bicgstab ? bicgstab->bytes() : 0;
    return static_cast<std::int64_t>(of_share + sizeof(T) * copies * rows.own()) + pattern.bytes() + matrix.bytes() +
           product->bytes() + ghosts.bytes() + iteration + (direct ? direct->bytes() : inverse->bytes());
  }

  SolverOptions spec;
  const CsrPattern& elements;
  const SharedRows& rows;
  ElementRows of_elements;
  SharedPattern pattern;
  SharedMatrix<T> matrix;
  RankExchange exchange;
  SharedSeconds seconds;
  GhostValues<T> ghosts;
  ThreadTeam team;
  RankSums sums;
  BlockedVectors vectors;
  bool has_own_inverse;
  SharedScaling<T> scaling;
  std::vector<double> no_weights;
  std::optional<SharedProduct<T>> product;
  std::optional<ClockedInverse<T>> inverse;
  std::optional<Gmres<T>> gmres;
  std::optional<BiCgStab<T>> bicgstab;
  std::unique_ptr<DirectSolver<T>> direct;
  std::unique_ptr<JoinedRows<T>> joined;  ///< of an iteration on a device
  std::optional<SharedLink<T>> link;
  std::unique_ptr<RankIteration<T>> on_device;
  bool has_elements = false;  ///< the device, of the present matrix
  std::vector<T> columns;     ///< of the direct solver
  std::int64_t bytes = 0;
};

template <class T>
SharedSolver<T>::SharedSolver(const SolverOptions& spec, const SolverMachine& machine, const CsrPattern& elements,
                              MatrixKind kind, const SharedRows& rows,
                              std::unique_ptr<ApproximateInverse<T>> preconditioner)
    : impl_(std::make_unique<Impl>(spec, machine, elements, kind, rows, std::move(preconditioner))) {}
template <class T>
SharedSolver<T>::~SharedSolver() = default;
template <class T>
SharedSolver<T>::SharedSolver(SharedSolver&&) noexcept = default;
template <class T>
SharedSolver<T>& SharedSolver<T>::operator=(SharedSolver&&) noexcept = default;

template <class T>
LinearFigures SharedSolver<T>::solve(const CsrMatrix<T>& matrix, const std::vector<std::vector<T>>& contributions,
                                     std::vector<std::vector<T>>& x) {
  Stopwatch watch;
  impl_->prepare(matrix);
  const double seconds = watch.lap();
  LinearFigures figures = solve_again(contributions, x);
  figures.seconds_preprocess = seconds;
  return figures;
}

template <class T>
LinearFigures SharedSolver<T>::solve_again(const std::vector<std::vector<T>>& contributions,
                                           std::vector<std::vector<T>>& x) {
  ensure(contributions.size() == x.size(), "there are as many solutions as right-hand sides");
  LinearFigures figures;
  Stopwatch watch;
  std::vector<std::vector<T>> b, own;
  for (std::size_t k = 0; k < x.size(); ++k) {
    b.push_back(impl_->of_elements.sum(contributions[k]));
    own.push_back(impl_->of_elements.own(x[k]));
  }
  figures.iterations.assign(x.size(), 0);
  if (impl_->direct) {
    figures.residual = impl_->solve_directly(b, own);
    for (const double residual : figures.residual) check_factors<T>(residual, impl_->spec.tolerance);
  } else {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const IterationOutcome outcome = impl_->converge(b[k], own[k], figures.history.emplace_back());
      figures.iterations[k] = outcome.iterations;
      figures.residual.push_back(outcome.residual);
    }
  }
  for (std::size_t k = 0; k < x.size(); ++k) impl_->of_elements.spread(own[k], x[k]);
  figures.seconds_solve = watch.lap();
  figures.bytes = impl_->bytes = impl_->count_bytes(x.size());
  return figures;
}

template <class T>
std::int64_t SharedSolver<T>::solve_once(const std::vector<T>& contributions, std::vector<T>& x) {
  std::vector<T> b = impl_->of_elements.sum(contributions), own = impl_->of_elements.own(x);
  std::int64_t iterations = 0;
  if (impl_->direct && impl_->spec.mixed_precision) {
    std::vector<std::vector<T>> solutions{std::move(own)};
    (void)impl_->solve_directly({b}, solutions);
    own = std::move(solutions.front());
  } else if (impl_->direct) {
    impl_->direct->solve(b, 1);
    own = std::move(b);
  } else {
    ResidualHistory unread;
    iterations = impl_->converge(b, own, unread).iterations;
  }
  impl_->of_elements.spread(own, x);
  return iterations;
}

template <class T>
bool SharedSolver<T>::is_resident() const {
  return std::is_same_v<T, double> && impl_->on_device != nullptr;
}

template <class T>
std::int64_t SharedSolver<T>::solve_resident(const T* contributions, T* x) {
  if constexpr (std::is_same_v<T, double>) {
    const std::vector<double> none;
    if (!impl_->has_elements)
      impl_->on_device->set_elements(impl_->of_elements, impl_->scales() ? impl_->scaling.factors() : none);
    impl_->has_elements = true;
  }
  const IterationLimits limits{impl_->spec.tolerance, impl_->spec.max_iterations};
  return impl_->check(impl_->on_device->solve_resident(limits, contributions, x)).iterations;
}

template <class T>
LinearEstimate SharedSolver<T>::estimate(const CsrMatrix<T>& matrix, const std::vector<T>& contributions,
                                         std::size_t right_hand_sides) {
  constexpr std::int64_t iterations = 10;
  LinearEstimate result;
  const comm::Communicator& ranks = impl_->rows.ranks;
  if (impl_->direct) {
    const FactorPlan plan = impl_->direct->analyse();
    SolverRates rates{};
    ranks.agree([&] { rates = measure_direct_solver<T>(); });
    const auto workers = static_cast<double>(ranks.size());
    result.seconds_preprocess = ranks.max(plan.operations / rates.operations_per_second / workers);
    result.seconds_solve = ranks.max(2 * plan.entries / rates.entries_per_second / workers);
    result.factor_entries = plan.entries;
    result.bytes = ranks.max(impl_->count_bytes(right_hand_sides) - impl_->direct->bytes() + plan.bytes);
    return result;
  }
  Stopwatch watch;
  impl_->prepare(matrix);
  result.seconds_preprocess = ranks.max(watch.lap());
  std::vector<T> b = impl_->of_elements.sum(contributions), x(b.size(), T(0));
  ResidualHistory unread;
  const IterationOutcome outcome = impl_->iterate({0, iterations}, b, x, unread);
  result.seconds_solve = ranks.max(watch.lap()) / static_cast<double>(std::max<std::int64_t>(1, outcome.iterations));
  result.bytes = ranks.max(impl_->count_bytes(right_hand_sides));
  return result;
}

template <class T>
std::int64_t SharedSolver<T>::nonzeros() const {
  return impl_->rows.ranks.sum(impl_->pattern.nonzeros());
}

template <class T>
RankShareFigures SharedSolver<T>::share() const {
  return {static_cast<std::int64_t>(impl_->rows.own()), static_cast<std::int64_t>(impl_->pattern.ghosts.size()),
          impl_->pattern.nonzeros(), impl_->bytes};
}

template <class T>
const SharedSeconds& SharedSolver<T>::seconds() const {
  SharedSeconds& seconds = impl_->seconds;
  seconds.sums = impl_->sums.seconds;
  if (!impl_->on_device) return seconds;
  const IterationSeconds on_device = impl_->on_device->seconds();
  seconds.sums = on_device.sums;
  if (impl_->spec.exchange == VectorExchange::halo) seconds.exchange = on_device.exchange;
  seconds.product = on_device.all - seconds.exchange - seconds.redistribution - seconds.sums;
  return seconds;
}

bool is_on_device(const SolverOptions& spec, const SolverMachine& machine) {
  const bool has = spec.preconditioner == Preconditioner::none || spec.preconditioner == Preconditioner::jacobi ||
                   spec.preconditioner == Preconditioner::ssor_ai;
  return machine.iteration_device != nullptr && spec.method == SolverMethod::bicgstab && has;
}

template class SharedSolver<double>;
template class SharedSolver<Complex>;

}  // namespace tetrawave::fem
