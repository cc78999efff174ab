#include "fem/solvers/approximate_inverse.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tetrawave::fem {

namespace {

template <class T>
class Identity final : public ApproximateInverse<T> {
 public:
  Identity(const CsrPattern& pattern, ThreadTeam& team) : vectors_(team, static_cast<std::size_t>(pattern.rows())) {}
  void set_matrix(const CsrMatrix<T>&) override {}
  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    vectors_.for_each([&](std::size_t i) { y[i] = x[i]; });
  }
  [[nodiscard]] std::int64_t bytes() const override { return 0; }

 private:
  BlockedVectors vectors_;
};

template <class T>
class Jacobi final : public ApproximateInverse<T> {
 public:
  Jacobi(const CsrPattern& pattern, ThreadTeam& team)
      : diagonal_(find_diagonal(pattern)), vectors_(team, static_cast<std::size_t>(pattern.rows())) {}
  void set_matrix(const CsrMatrix<T>& matrix) override { inverse_ = invert_diagonal(matrix, diagonal_); }
  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    vectors_.for_each([&](std::size_t i) { y[i] = times(inverse_[i], x[i]); });
  }
  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + sizeof(T)) * diagonal_.size());
  }

 private:
  std::vector<std::int64_t> diagonal_;
  std::vector<T> inverse_;
  BlockedVectors vectors_;
};

/// M^-1 = w (2 - w) (1 - w D^-1 U) D^-1 (1 - w L D^-1).
template <class T>
class SsorApproximation final : public ApproximateInverse<T> {
 public:
  SsorApproximation(const SolverOptions& spec, const CsrPattern& pattern, ThreadTeam& team)
      : relaxation_(spec.relaxation),
        diagonal_(find_diagonal(pattern)),
        vectors_(team, diagonal_.size()),
        lower_(make_row_product<T>(spec.format, MatrixPart::lower, pattern, team)),
        upper_(make_row_product<T>(spec.format, MatrixPart::upper, pattern, team)),
        middle_(diagonal_.size()),
        scaled_(diagonal_.size()) {}

  void set_matrix(const CsrMatrix<T>& matrix) override {
    inverse_ = invert_diagonal(matrix, diagonal_);
    has_unit_diagonal_ = std::all_of(inverse_.begin(), inverse_.end(), [](T d) { return d == T(1); });
    lower_->set_values(matrix.values);
    upper_->set_values(matrix.values);
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const double w = relaxation_;
    if (has_unit_diagonal_) {
      lower_->subtract(1, x, w, x, middle_);
      upper_->subtract(w * (2 - w), middle_, w, middle_, y);
      return;
    }
    vectors_.for_each([&](std::size_t i) { scaled_[i] = times(inverse_[i], x[i]); });
    lower_->subtract(1, x, w, scaled_, middle_);
    vectors_.for_each([&](std::size_t i) { middle_[i] = times(inverse_[i], middle_[i]); });
    upper_->multiply(middle_, y);
    vectors_.for_each([&](std::size_t i) { y[i] = w * (2 - w) * (middle_[i] - w * times(inverse_[i], y[i])); });
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + 3 * sizeof(T)) * diagonal_.size()) + lower_->bytes() + upper_->bytes();
  }

 private:
  double relaxation_;
  std::vector<std::int64_t> diagonal_;
  BlockedVectors vectors_;
  std::unique_ptr<RowProduct<T>> lower_, upper_;
  std::vector<T> middle_, scaled_;
  std::vector<T> inverse_;
  bool has_unit_diagonal_ = false;
};

}  // namespace

template <class T>
std::vector<T> invert_diagonal(const CsrMatrix<T>& matrix, const std::vector<std::int64_t>& diagonal) {
  std::vector<T> inverse;
  inverse.reserve(diagonal.size());
  for (const std::int64_t k : diagonal) {
    const T d = matrix.values[static_cast<std::size_t>(k)];
    if (d == T(0))
      fail(ExitCode::unstable,
           "the preconditioner needs a diagonal without zeros, but row {} has one: use solver.preconditioner: none, "
           "or solver.method: direct",
           inverse.size());
    inverse.push_back(1. / d);
  }
  return inverse;
}

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_approximate_inverse(const SolverOptions& spec, const CsrPattern& pattern,
                                                                const Subspace& coarse, ThreadTeam& team) {
  switch (spec.preconditioner) {
    case Preconditioner::none:
      return std::make_unique<Identity<T>>(pattern, team);
    case Preconditioner::jacobi:
      return std::make_unique<Jacobi<T>>(pattern, team);
    case Preconditioner::ssor:
      return make_ssor<T>(spec.relaxation, pattern);
    case Preconditioner::ssor_ai:
      return std::make_unique<SsorApproximation<T>>(spec, pattern, team);
    case Preconditioner::ilu:
      return make_incomplete_factors<T>(std::nullopt, pattern, team);
    case Preconditioner::ilut:
      return make_incomplete_factors<T>(spec.fill_in, pattern, team);
    case Preconditioner::p_multigrid:
      return make_p_multigrid<T>(spec.relaxation, pattern, coarse, team);
    case Preconditioner::oras:
      break;  // of systems that ranks share out (fem/shared)
  }
  throw InternalError("every preconditioner is made");
}

template std::vector<double> invert_diagonal(const CsrMatrix<double>&, const std::vector<std::int64_t>&);
template std::vector<Complex> invert_diagonal(const CsrMatrix<Complex>&, const std::vector<std::int64_t>&);
template std::unique_ptr<ApproximateInverse<double>> make_approximate_inverse(const SolverOptions&, const CsrPattern&,
                                                                              const Subspace&, ThreadTeam&);
template std::unique_ptr<ApproximateInverse<Complex>> make_approximate_inverse(const SolverOptions&, const CsrPattern&,
                                                                               const Subspace&, ThreadTeam&);

}  // namespace tetrawave::fem
