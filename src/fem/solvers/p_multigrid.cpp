#include "fem/solvers/p_multigrid.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "fem/solvers/direct_solver.hpp"

namespace tetrawave::fem {

Subspace Subspace::transposed() const {
  Subspace result;
  result.columns = static_cast<std::int32_t>(rows());
  result.first.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const std::int32_t c : column) ++result.first[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) result.first[c + 1] += result.first[c];
  result.column.resize(column.size());
  result.value.resize(value.size());
  std::vector<std::int64_t> next = result.first;
  for (std::size_t row = 0; row < rows(); ++row)
    for_row(row, [&](std::size_t c, double v) {
      const auto at = static_cast<std::size_t>(next[c]++);
      result.column[at] = static_cast<std::int32_t>(row);
      result.value[at] = v;
    });
  return result;
}

/// use(d, k, factor): entry k of A comes into column d of this row of P^T A P times the factor.
template <class Use>
void GalerkinProduct::for_products(std::size_t row, const Use& use) const {
  transposed_.for_row(row, [&](std::size_t i, double left) {
    for (std::int64_t k = pattern_.first[i]; k < pattern_.first[i + 1]; ++k)
      subspace_.for_row(static_cast<std::size_t>(pattern_.column[static_cast<std::size_t>(k)]),
                        [&](std::size_t d, double right) { use(d, static_cast<std::size_t>(k), left * right); });
  });
}

GalerkinProduct::GalerkinProduct(const CsrPattern& pattern, const Subspace& subspace)
    : pattern_(pattern), subspace_(subspace), transposed_(subspace.transposed()) {
  ensure(subspace.rows() == static_cast<std::size_t>(pattern.rows()), "a subspace has a row per unknown");
  std::vector<std::int32_t> last_row(static_cast<std::size_t>(subspace.columns), -1);
  for (std::int32_t row = 0; row < subspace.columns; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(product_.column.size());
    for_products(static_cast<std::size_t>(row), [&](std::size_t d, std::size_t, double) {
      if (last_row[d] == row) return;
      last_row[d] = row;
      product_.column.push_back(static_cast<std::int32_t>(d));
    });
    std::sort(product_.column.begin() + begin, product_.column.end());
    product_.first.push_back(static_cast<std::int64_t>(product_.column.size()));
  }
}

template <class T>
CsrMatrix<T> GalerkinProduct::multiply(const CsrMatrix<T>& matrix) const {
  CsrMatrix<T> result{&product_, std::vector<T>(product_.column.size())};
  std::vector<std::size_t> place(static_cast<std::size_t>(subspace_.columns));
  for (std::size_t row = 0; row < place.size(); ++row) {
    for (auto k = static_cast<std::size_t>(product_.first[row]); k < static_cast<std::size_t>(product_.first[row + 1]);
         ++k)
      place[static_cast<std::size_t>(product_.column[k])] = k;
    for_products(row, [&](std::size_t d, std::size_t k, double factor) {
      result.values[place[d]] += factor * matrix.values[k];
    });
  }
  return result;
}

std::int64_t GalerkinProduct::bytes() const {
  return transposed_.bytes() + static_cast<std::int64_t>(8 * product_.first.size() + 4 * product_.column.size());
}

template CsrMatrix<double> GalerkinProduct::multiply(const CsrMatrix<double>&) const;
template CsrMatrix<Complex> GalerkinProduct::multiply(const CsrMatrix<Complex>&) const;

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
    std::vector<bool> is_column(diagonal_.size(), false);
    const Subspace& transposed = galerkin_.transposed();
    for (std::size_t c = 0; c < column_.size(); ++c)
      if (transposed.first[c + 1] - transposed.first[c] == 1)
        is_column[static_cast<std::size_t>(transposed.column[static_cast<std::size_t>(transposed.first[c])])] = true;
    for (std::size_t row = 0; row < is_column.size(); ++row)
      if (!is_column[row]) swept_.push_back(static_cast<std::int32_t>(row));
    if (coarse.columns > 0)  // else another rank has the matrix, or one unknown has no gradients
      solver_ = make_direct_solver<T>({&galerkin_.pattern(), MatrixKind::symmetric}, 1, comm::Communicator::self());
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
  const std::vector<T>* values_ = nullptr;
};

}  // namespace

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
