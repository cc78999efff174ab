#include "fem/linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fem/direct_solver.hpp"
#include "fem/iterative_solver.hpp"
#include "fem/stopwatch.hpp"

namespace tetrawave::fem {

/// One of the two methods, and the product with the matrix as it is given.
struct LinearSolver::Impl {
  Impl(const SolverSpec& solver_spec, int threads, const CsrPattern& csr)
      : spec(solver_spec),
        pattern(csr),
        team(useful_threads(csr.rows(), threads)),
        vectors(team, static_cast<std::size_t>(csr.rows())),
        product(make_row_product(MatrixFormat::csr, MatrixPart::whole, csr, team)) {
    if (spec.method == SolverMethod::direct)
      direct = std::make_unique<DirectSolver>(csr);
    else
      iterative = std::make_unique<IterativeSolver>(spec, csr, team);
  }

  void check_sizes(const std::vector<Vector>& b, const std::vector<Vector>& x) const {
    ensure(b.size() == x.size(), "there are as many solutions as right-hand sides");
    for (std::size_t k = 0; k < b.size(); ++k)
      ensure(b[k].size() == vectors.size() && x[k].size() == vectors.size(), "a vector has a number per row");
  }

  void prepare(const CsrMatrix& matrix) {
    product->set_values(matrix.values);
    if (direct)
      direct->factorise(matrix);
    else
      iterative->prepare(matrix);
  }

  /// All right-hand sides at once, and once more for what is left of them: the factors' rounding errors.
  void solve_directly(const std::vector<Vector>& b, std::vector<Vector>& x) {
    const std::size_t rows = vectors.size();
    std::vector<Complex> columns(rows * b.size());
    for (auto& solution : x) std::fill(solution.begin(), solution.end(), 0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < b.size(); ++k) {
        find_residual(b[k], x[k]);
        std::copy(residual.begin(), residual.end(), columns.begin() + static_cast<std::ptrdiff_t>(k * rows));
      }
      if (!columns.empty()) direct->solve(columns, static_cast<std::int32_t>(b.size()));
      for (std::size_t k = 0; k < b.size(); ++k)
        vectors.for_each([&](std::size_t i) { x[k][i] += columns[k * rows + i]; });
    }
  }

  /// ||b - A x|| / ||b||; leaves b - A x in `residual`.
  double find_residual(const Vector& b, const Vector& x) {
    residual.resize(vectors.size());
    product->subtract(1, b, 1, x, residual);
    const auto sums = vectors.sum<2>([&](std::size_t i, auto& sum) {
      sum[0] += square(residual[i]);
      sum[1] += square(b[i]);
    });
    return sums[1] == 0 ? 0 : std::sqrt(sums[0] / sums[1]);
  }

  void check_direct(double reached) const {
    constexpr double acceptable = 1e-6;  // far above rounding: the factors have lost their digits
    if (reached <= std::max(acceptable, spec.tolerance)) return;
    fail(ExitCode::unstable,
         "the direct solver leaves a relative residual of {:.3g}: the matrix is nearly singular. Look for a resonance "
         "without losses at this frequency",
         reached);
  }

  [[nodiscard]] std::int64_t count_bytes(std::size_t right_hand_sides) const {
    const std::size_t copies = (direct ? 3 : 2) * right_hand_sides + 1;  // b, x, columns of the direct solver; residual
    const std::size_t entries = pattern.column.size(), rows = vectors.size();
    return static_cast<std::int64_t>(20 * entries + 8 * rows + 16 * copies * rows) + product->bytes() +
           (direct ? direct->bytes() : iterative->bytes());
  }

  SolverSpec spec;
  const CsrPattern& pattern;
  ThreadTeam team;
  BlockedVectors vectors;
  std::unique_ptr<RowProduct> product;
  std::unique_ptr<DirectSolver> direct;
  std::unique_ptr<IterativeSolver> iterative;
  Vector residual;
};

LinearSolver::LinearSolver(const SolverSpec& spec, int threads, const CsrPattern& pattern)
    : impl_(std::make_unique<Impl>(spec, threads, pattern)) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

LinearFigures LinearSolver::solve(const CsrMatrix& matrix, const std::vector<std::vector<Complex>>& right_hand_sides,
                                  std::vector<std::vector<Complex>>& x) {
  ensure(matrix.pattern == &impl_->pattern && matrix.values.size() == impl_->pattern.column.size(),
         "a matrix is of its pattern");
  Stopwatch watch;
  impl_->prepare(matrix);
  const double seconds = watch.lap();
  LinearFigures figures = solve_again(right_hand_sides, x);
  figures.seconds_preprocess = seconds;
  return figures;
}

LinearFigures LinearSolver::solve_again(const std::vector<std::vector<Complex>>& right_hand_sides,
                                        std::vector<std::vector<Complex>>& x) {
  impl_->check_sizes(right_hand_sides, x);
  LinearFigures figures;
  Stopwatch watch;
  figures.iterations.assign(x.size(), 0);
  if (impl_->direct)
    impl_->solve_directly(right_hand_sides, x);
  else
    for (std::size_t k = 0; k < x.size(); ++k)
      figures.iterations[k] = impl_->iterative->solve(right_hand_sides[k], x[k]);
  for (std::size_t k = 0; k < x.size(); ++k) {
    figures.residual.push_back(impl_->find_residual(right_hand_sides[k], x[k]));
    if (impl_->direct) impl_->check_direct(figures.residual.back());
  }
  figures.seconds_solve = watch.lap();
  figures.bytes = impl_->count_bytes(x.size());
  return figures;
}

}  // namespace tetrawave::fem
