#include "fem/solvers/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/solvers/iterative_solver.hpp"
#include "fem/solvers/solver_rates.hpp"

namespace tetrawave::fem {

/// One of the two methods, and the product with the unscaled matrix.
template <class T>
struct LinearSolver<T>::Impl {
  Impl(const SolverOptions& solver_spec, const SolverMachine& machine, const CsrPattern& csr, MatrixKind kind,
       const comm::Communicator& all_ranks, Subspace subspace, std::unique_ptr<ApproximateInverse<T>> inverse)
      : spec(solver_spec),
        pattern(csr),
        ranks(all_ranks),
        coarse(std::move(subspace)),
        team(useful_threads(csr.rows(), machine.threads)),
        vectors(team, static_cast<std::size_t>(csr.rows())) {
    if (spec.method == SolverMethod::direct)
      direct = make_direct_solver<T>({&csr, kind, spec.mixed_precision}, machine, ranks);
    else
      make_iteration(machine, std::move(inverse));
  }

  /// Of several ranks the first has the rows.
  void make_iteration(const SolverMachine& machine, std::unique_ptr<ApproximateInverse<T>> inverse) {
    ranks.agree([&] {
      const IterationRequest request{
          &pattern,    machine.threads, spec.preconditioner, spec.relaxation, spec.diagonal_scaling,
          spec.format, spec.tolerance,  spec.max_iterations, &coarse,         machine.factor_device,
          spec.fill_in};
      if constexpr (std::is_same_v<T, Complex>)
        if (machine.iteration_device && inverse && inverse->has_systems()) {
          iterative = machine.iteration_device->make_by_systems(request, std::move(inverse));
          return;
        }
      if (machine.iteration_device && ranks.rank() == 0 && !inverse)
        iterative = fem::make_iteration<T>(request, machine.iteration_device.get());
      else
        iterative = std::make_unique<IterativeSolver<T>>(request, coarse, team, std::move(inverse));
    });
  }

  std::vector<IterationCourse> iterate(const std::vector<std::vector<T>>& b, std::vector<std::vector<T>>& x) {
    typename SystemIteration<T>::Sides sides;
    typename SystemIteration<T>::Solutions solutions;
    for (const auto& side : b) sides.push_back(&side);
    for (auto& solution : x) solutions.push_back(&solution);
    return iterative->solve(sides, solutions);
  }

  void check_sizes(const std::vector<std::vector<T>>& b, const std::vector<std::vector<T>>& x) const {
    ensure(b.size() == x.size(), "there are as many solutions as right-hand sides");
    for (const auto* all : {&b, &x})
      for (const auto& one : *all) check_size(one);
  }

  void check_size(const std::vector<T>& one) const {
    ensure(one.size() == vectors.size(), "a vector has a number per row");
  }

  void prepare(const CsrMatrix<T>& matrix) {
    on_device = matrix.on_device;
    const CsrMatrix<T>* taken = &matrix;
    if (on_device != nullptr && !(direct ? direct->is_resident() : iterative->is_on_device())) {
      copied = matrix;
      bring_to_host(copied);
      taken = &copied;
      if (direct) on_device = nullptr;
    }
    if (on_device == nullptr) set_product(taken->values);
    if (direct)
      direct->factorise(*taken);
    else
      ranks.agree([&] { iterative->prepare(*taken); });
  }
  void set_product(std::span<const T> values) {
    if (!product) product = make_row_product<T>(MatrixFormat::csr, MatrixPart::whole, pattern, team);
    product->set_values(values);
  }

  [[nodiscard]] int most_passes() const { return spec.mixed_precision ? 12 : 2; }
  static constexpr double enough = 1e-13;  ///< of factors in single precision

  /// All right-hand sides at once, followed by iterative refinement: one step for the rounding errors of factors in
  /// double precision; with those in single precision until the residual stops falling.
  void solve_on_host(const std::vector<std::vector<T>>& b, std::vector<std::vector<T>>& x) {
    for (auto& solution : x) vectors.for_each([&](std::size_t i) { solution[i] = T(0); });
    double largest = 0;
    for (int pass = 0; pass < most_passes(); ++pass) {
      const double before = std::exchange(largest, gather_residuals(b, x, pass == 0));
      std::vector<double> of_first{largest, before};
      if (spec.mixed_precision) ranks.broadcast(of_first);
      if (spec.mixed_precision && pass > 0 && (of_first[0] < enough || (pass > 1 && of_first[0] > 0.5 * of_first[1])))
        break;
      if (!b.empty()) direct->solve(columns, static_cast<std::int32_t>(b.size()));
      for (std::size_t k = 0; k < b.size(); ++k)
        vectors.for_each([&](std::size_t i) { x[k][i] += columns[k * vectors.size() + i]; });
    }
  }

  /// The same with the matrix on a device; returns the residuals.
  std::vector<double> solve_on_device(const std::vector<std::vector<T>>& b, std::vector<std::vector<T>>& x) {
    std::vector<double> residuals;
    for (std::size_t first = 0; first < b.size(); first += columns_together) {
      const std::size_t count = std::min(columns_together, b.size() - first);
      const auto& some = on_device->put(std::span(b).subspan(first, count), {});
      for (const double reached : refine(some, spec.mixed_precision ? enough : 0)) residuals.push_back(reached);
      on_device->take(std::span(x).subspan(first, count));
    }
    return residuals;
  }
  std::vector<double> refine(const ResidentColumns<T>& of, double until) {
    direct->solve_resident(of.sides, of.solutions, of.count);
    std::vector<double> residuals = of.find_residuals();
    double largest = 0;
    for (int pass = 1; pass < most_passes(); ++pass) {
      const double before = std::exchange(largest, *std::max_element(residuals.begin(), residuals.end()));
      if (largest <= until || (pass > 1 && largest > 0.5 * before)) break;
      direct->solve_resident(of.residuals, of.corrections, of.count);
      of.correct();
      residuals = of.find_residuals();
    }
    return residuals;
  }

  /// Solves for all; returns ||b - A x|| / ||b|| of each.
  std::vector<double> solve_directly(const std::vector<std::vector<T>>& b, std::vector<std::vector<T>>& x) {
    if (on_device != nullptr) return solve_on_device(b, x);
    solve_on_host(b, x);
    std::vector<double> residuals;
    for (std::size_t k = 0; k < b.size(); ++k) residuals.push_back(find_residual(b[k], x[k]));
    return residuals;
  }

  /// Puts b - A x into `columns`; returns the largest ||b - A x|| / ||b||, at first 0.
  double gather_residuals(const std::vector<std::vector<T>>& b, const std::vector<std::vector<T>>& x, bool is_first) {
    const std::size_t rows = vectors.size();
    columns.resize(rows * b.size());
    double largest = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      T* const column = columns.data() + k * rows;
      if (is_first) {  // x = 0
        vectors.for_each([&](std::size_t i) { column[i] = b[k][i]; });
        continue;
      }
      largest = std::max(largest, find_residual(b[k], x[k]));
      vectors.for_each([&](std::size_t i) { column[i] = residual[i]; });
    }
    return largest;
  }

  /// ||b - A x|| / ||b||; leaves b - A x in `residual`, or on the device.
  double find_residual(const std::vector<T>& b, const std::vector<T>& x) {
    if (on_device != nullptr) return on_device->put({&b, 1}, {&x, 1}).find_residuals().front();
    residual.resize(vectors.size());
    product->subtract(1, b, 1, x, residual);
    const auto sums = vectors.sum<2>([&](std::size_t i, auto& sum) {
      sum[0] += square(residual[i]);
      sum[1] += square(b[i]);
    });
    return sums[1] == 0 ? 0 : std::sqrt(sums[0] / sums[1]);
  }

  [[nodiscard]] std::int64_t count_bytes(std::size_t right_hand_sides) const {
    std::size_t copies = (direct ? 3 : 2) * right_hand_sides + 1;  // b, x, columns of the direct solver; residual
    if (on_device != nullptr)
      copies = 2 * right_hand_sides + (direct ? 4 * std::min(columns_together, right_hand_sides) : 3);
    const std::size_t entries = pattern.column.size(), rows = vectors.size();
    return static_cast<std::int64_t>((sizeof(T) + 4) * entries + 8 * rows + sizeof(T) * copies * rows) +
           (product ? product->bytes() : 0) + (direct ? direct->bytes() : iterative->bytes());
  }

  SolverOptions spec;
  const CsrPattern& pattern;
  comm::Communicator ranks;
  Subspace coarse;
  ThreadTeam team;
  BlockedVectors vectors;
  std::unique_ptr<RowProduct<T>> product;
  std::unique_ptr<DirectSolver<T>> direct;
  std::unique_ptr<SystemIteration<T>> iterative;
  std::vector<T> residual;
  std::vector<T> columns;                ///< of the direct solver
  DeviceMatrix<T>* on_device = nullptr;  ///< has the matrix and finds residuals
  CsrMatrix<T> copied;                   ///< of a matrix on a device, for a solver that is not there
  static constexpr std::size_t columns_together = 32;
};

template <class T>
LinearSolver<T>::LinearSolver(const SolverOptions& spec, const SolverMachine& machine, const CsrPattern& pattern,
                              MatrixKind kind, const comm::Communicator& ranks, Subspace coarse,
                              std::unique_ptr<ApproximateInverse<T>> inverse)
    : impl_(std::make_unique<Impl>(spec, machine, pattern, kind, ranks, std::move(coarse), std::move(inverse))) {}
template <class T>
LinearSolver<T>::~LinearSolver() = default;
template <class T>
LinearSolver<T>::LinearSolver(LinearSolver&&) noexcept = default;
template <class T>
LinearSolver<T>& LinearSolver<T>::operator=(LinearSolver&&) noexcept = default;

template <class T>
void LinearSolver<T>::begin_analysis() {
  if (impl_->direct) impl_->direct->begin_analysis();
}

template <class T>
std::vector<std::pair<std::string, double>> LinearSolver<T>::parts() const {
  return impl_->direct ? impl_->direct->seconds() : std::vector<std::pair<std::string, double>>{};
}

template <class T>
LinearFigures LinearSolver<T>::solve(const CsrMatrix<T>& matrix, const std::vector<std::vector<T>>& right_hand_sides,
                                     std::vector<std::vector<T>>& x) {
  ensure(matrix.pattern == &impl_->pattern &&
             (matrix.on_device != nullptr || matrix.values.size() == impl_->pattern.column.size()),
         "a matrix is of its pattern");
  Stopwatch watch;
  impl_->prepare(matrix);
  const double seconds = watch.lap();
  LinearFigures figures = solve_again(right_hand_sides, x);
  figures.seconds_preprocess = seconds;
  return figures;
}

template <class T>
LinearEstimate LinearSolver<T>::estimate(const CsrMatrix<T>& matrix, const std::vector<T>& b,
                                         std::size_t right_hand_sides) {
  constexpr std::int64_t iterations = 10;
  ensure(impl_->ranks.size() == 1, "an estimate is of one rank");
  LinearEstimate result;
  if (impl_->direct) {
    const FactorPlan plan = impl_->direct->analyse();
    const SolverRates rates = measure_direct_solver<T>();
    result = {plan.operations / rates.operations_per_second, 2 * plan.entries / rates.entries_per_second, plan.entries,
              0};  // a solution is refined once
    result.bytes = impl_->count_bytes(right_hand_sides) - impl_->direct->bytes() + plan.bytes;
    return result;
  }
  Stopwatch watch;
  impl_->prepare(matrix);
  result.seconds_preprocess = watch.lap();
  std::vector<T> x(b.size(), 0);
  impl_->iterative->iterate({&b}, {&x}, iterations);
  result.seconds_solve = watch.lap() / static_cast<double>(iterations);
  result.bytes = impl_->count_bytes(right_hand_sides);
  return result;
}

template <class T>
LinearFigures LinearSolver<T>::solve_again(const std::vector<std::vector<T>>& right_hand_sides,
                                           std::vector<std::vector<T>>& x) {
  impl_->check_sizes(right_hand_sides, x);
  LinearFigures figures;
  Stopwatch watch;
  figures.iterations.assign(x.size(), 0);
  if (impl_->direct) figures.residual = impl_->solve_directly(right_hand_sides, x);
  impl_->ranks.agree([&] {
    for (const double reached : figures.residual) check_factors<T>(reached, impl_->spec.tolerance);
    std::vector<IterationCourse> courses;
    if (impl_->iterative) courses = impl_->iterate(right_hand_sides, x);
    for (std::size_t k = 0; k < courses.size(); ++k) {
      figures.iterations[k] = courses[k].iterations;
      figures.history.push_back(std::move(courses[k].history));
      figures.residual.push_back(impl_->find_residual(right_hand_sides[k], x[k]));
    }
  });
  figures.seconds_solve = watch.lap();
  figures.made_preconditioner = !impl_->iterative || impl_->iterative->is_fresh();
  figures.bytes = impl_->count_bytes(x.size());
  return figures;
}

template <class T>
std::int64_t LinearSolver<T>::solve_once(const std::vector<T>& b, std::vector<T>& x) {
  impl_->check_size(b);
  impl_->check_size(x);
  std::int64_t iterations = 0;
  if (impl_->direct && impl_->spec.mixed_precision) {
    std::vector<std::vector<T>> sides{b}, solutions{std::move(x)};
    (void)impl_->solve_directly(sides, solutions);
    x = std::move(solutions.front());
  } else if (impl_->direct) {
    std::copy(b.begin(), b.end(), x.begin());
    impl_->direct->solve(x, 1);
  } else {
    impl_->ranks.agree([&] { iterations = impl_->iterative->solve({&b}, {&x}).front().iterations; });
  }
  return iterations;
}

template <class T>
bool LinearSolver<T>::is_resident() const {
  if (impl_->iterative) return impl_->iterative->is_resident();
  return !impl_->spec.mixed_precision && impl_->direct->is_resident();
}

template <class T>
std::int64_t LinearSolver<T>::solve_resident(const T* b, T* x) {
  if (impl_->iterative) return impl_->iterative->solve_resident(b, x);
  impl_->direct->solve_resident(b, x, 1);
  return 0;
}

template <class T>
bool LinearSolver<T>::has_resident_factors() const {
  return impl_->direct && is_resident();
}

template <class T>
LinearFigures LinearSolver<T>::solve_resident(const ResidentColumns<T>& columns, double enough) {
  ensure(has_resident_factors(), "columns are on the device of the factors");
  LinearFigures figures;
  Stopwatch watch;
  figures.residual = impl_->refine(columns, enough);
  for (const double reached : figures.residual) check_factors<T>(reached, impl_->spec.tolerance);
  figures.iterations.assign(figures.residual.size(), 0);
  figures.seconds_solve = watch.lap();
  figures.bytes = impl_->count_bytes(figures.residual.size());
  return figures;
}

template class LinearSolver<double>;
template class LinearSolver<Complex>;

}  // namespace tetrawave::fem
