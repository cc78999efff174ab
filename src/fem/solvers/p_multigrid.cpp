// The preconditioner p-multigrid (theory/preconditioners).
#include <algorithm>

#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "fem/sparse/galerkin_product.hpp"

namespace tetrawave::fem {

namespace {

template <class T>
class PMultigrid final : public ApproximateInverse<T> {
 public:
  PMultigrid(double relaxation, const CsrPattern& pattern, const Subspace& coarse, ThreadTeam& team)
      : relaxation_(relaxation),
        pattern_(pattern),
        coarse_(coarse),
        diagonal_(find_diagonal(pattern)),
        galerkin_(pattern, coarse),
        product_(make_row_product<T>(MatrixFormat::csr, MatrixPart::whole, pattern, team)),
        residual_(diagonal_.size()),
        column_(static_cast<std::size_t>(coarse.columns)) {
    const std::vector<bool> is_swept = find_swept(galerkin_.transposed());
    for (std::size_t row = 0; row < is_swept.size(); ++row)
      if (is_swept[row]) swept_.push_back(static_cast<std::int32_t>(row));
    if (coarse.columns > 0)  // else another rank has the matrix, or one unknown has no gradients
      solver_ = make_direct_solver<T>({&galerkin_.pattern(), MatrixKind::symmetric}, SolverMachine(1),
                                      comm::Communicator::self());
  }

  void set_matrix(const CsrMatrix<T>& matrix) override {
    follow(matrix);
    if (solver_) solver_->factorise(galerkin_.multiply(matrix));
  }

  bool follow(const CsrMatrix<T>& matrix) override {
    values_ = &matrix.values;
    product_->set_values(matrix.values);
    inverse_ = invert_diagonal(matrix, diagonal_);
    return true;
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    std::fill(y.begin(), y.end(), T(0));
    for (const std::int32_t row : swept_) relax(static_cast<std::size_t>(row), x, y);
    if (solver_) correct(x, y);
    for (auto row = swept_.rbegin(); row != swept_.rend(); ++row) relax(static_cast<std::size_t>(*row), x, y);
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + 2 * sizeof(T)) * diagonal_.size() + 4 * swept_.size() +
                                     sizeof(T) * column_.size()) +
           product_->bytes() + coarse_.bytes() + galerkin_.bytes() + (solver_ ? solver_->bytes() : 0);
  }

 private:
  /// One unknown of y, so that its equation holds.
  void relax(std::size_t i, const std::vector<T>& x, std::vector<T>& y) const {
    const T product =
        sum_entries(values_->data(), pattern_.column.data(), pattern_.first[i], pattern_.first[i + 1], y.data());
    y[i] += relaxation_ * times(inverse_[i], x[i] - product);
  }

  /// y += P (P^T A P)^-1 P^T (x - A y)
  void correct(const std::vector<T>& x, std::vector<T>& y) {
    product_->subtract(1, x, 1, y, residual_);
    for (std::size_t c = 0; c < column_.size(); ++c) {
      T sum = 0;
      galerkin_.transposed().for_row(c, [&](std::size_t row, double value) { sum += value * residual_[row]; });
      column_[c] = sum;
    }
    solver_->solve(column_, 1);
    for (std::size_t row = 0; row < y.size(); ++row)
      coarse_.for_row(row, [&](std::size_t c, double value) { y[row] += value * column_[c]; });
  }

  double relaxation_;
  const CsrPattern& pattern_;
  const Subspace& coarse_;
  std::vector<std::int64_t> diagonal_;
  GalerkinProduct galerkin_;
  std::unique_ptr<RowProduct<T>> product_;
  std::vector<T> inverse_, residual_, column_;
  std::vector<std::int32_t> swept_;
  std::unique_ptr<DirectSolver<T>> solver_;
  const UnsetVector<T>* values_ = nullptr;
};

}  // namespace

std::vector<bool> find_swept(const Subspace& transposed) {
  std::vector<bool> is_swept(static_cast<std::size_t>(transposed.columns), true);
  for (std::size_t c = 0; c < transposed.rows(); ++c)
    if (transposed.first[c + 1] - transposed.first[c] == 1)
      is_swept[static_cast<std::size_t>(transposed.column[static_cast<std::size_t>(transposed.first[c])])] = false;
  return is_swept;
}

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_p_multigrid(double relaxation, const CsrPattern& pattern,
                                                        const Subspace& coarse, ThreadTeam& team) {
  return std::make_unique<PMultigrid<T>>(relaxation, pattern, coarse, team);
}

template std::unique_ptr<ApproximateInverse<double>> make_p_multigrid(double, const CsrPattern&, const Subspace&,
                                                                      ThreadTeam&);
template std::unique_ptr<ApproximateInverse<Complex>> make_p_multigrid(double, const CsrPattern&, const Subspace&,
                                                                       ThreadTeam&);

}  // namespace tetrawave::fem
