#include "fem/approximate_inverse.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tetrawave::fem {

namespace {

class Identity final : public ApproximateInverse {
 public:
  Identity(const CsrPattern& pattern, ThreadTeam& team) : vectors_(team, static_cast<std::size_t>(pattern.rows())) {}
  void set_matrix(const CsrMatrix&) override {}
  void apply(const Vector& x, Vector& y) override {
    vectors_.for_each([&](std::size_t i) { y[i] = x[i]; });
  }
  [[nodiscard]] std::int64_t bytes() const override { return 0; }

 private:
  BlockedVectors vectors_;
};

class Jacobi final : public ApproximateInverse {
 public:
  Jacobi(const CsrPattern& pattern, ThreadTeam& team)
      : diagonal_(find_diagonal(pattern)), vectors_(team, static_cast<std::size_t>(pattern.rows())) {}
  void set_matrix(const CsrMatrix& matrix) override { inverse_ = invert_diagonal(matrix, diagonal_); }
  void apply(const Vector& x, Vector& y) override {
    vectors_.for_each([&](std::size_t i) { y[i] = times(inverse_[i], x[i]); });
  }
  [[nodiscard]] std::int64_t bytes() const override { return static_cast<std::int64_t>(24 * diagonal_.size()); }

 private:
  std::vector<std::int64_t> diagonal_;
  Vector inverse_;
  BlockedVectors vectors_;
};

/// M^-1 = w (2 - w) (1 - w D^-1 U) D^-1 (1 - w L D^-1).
class SsorApproximation final : public ApproximateInverse {
 public:
  SsorApproximation(const SolverSpec& spec, const CsrPattern& pattern, ThreadTeam& team)
      : relaxation_(spec.relaxation),
        diagonal_(find_diagonal(pattern)),
        vectors_(team, diagonal_.size()),
        lower_(make_row_product(spec.format, MatrixPart::lower, pattern, team)),
        upper_(make_row_product(spec.format, MatrixPart::upper, pattern, team)),
        middle_(diagonal_.size()),
        scaled_(diagonal_.size()) {}

  void set_matrix(const CsrMatrix& matrix) override {
    inverse_ = invert_diagonal(matrix, diagonal_);
    has_unit_diagonal_ = std::all_of(inverse_.begin(), inverse_.end(), [](Complex d) { return d == Complex(1); });
    lower_->set_values(matrix.values);
    upper_->set_values(matrix.values);
  }

  void apply(const Vector& x, Vector& y) override {
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
    return static_cast<std::int64_t>((8 + 3 * 16) * diagonal_.size()) + lower_->bytes() + upper_->bytes();
  }

 private:
  double relaxation_;
  std::vector<std::int64_t> diagonal_;
  BlockedVectors vectors_;
  std::unique_ptr<RowProduct> lower_, upper_;
  Vector middle_, scaled_;
  Vector inverse_;
  bool has_unit_diagonal_ = false;
};

}  // namespace

Vector invert_diagonal(const CsrMatrix& matrix, const std::vector<std::int64_t>& diagonal) {
  Vector inverse;
  inverse.reserve(diagonal.size());
  for (const std::int64_t k : diagonal) {
    const Complex d = matrix.values[static_cast<std::size_t>(k)];
    if (d == Complex(0))
      fail(ExitCode::unstable,
           "the preconditioner needs a diagonal without zeros, but row {} has one: use solver.preconditioner: none, "
           "or solver.method: direct",
           inverse.size());
    inverse.push_back(1. / d);
  }
  return inverse;
}

std::unique_ptr<ApproximateInverse> make_approximate_inverse(const SolverSpec& spec, const CsrPattern& pattern,
                                                             ThreadTeam& team) {
  switch (spec.preconditioner) {
    case Preconditioner::none:
      return std::make_unique<Identity>(pattern, team);
    case Preconditioner::jacobi:
      return std::make_unique<Jacobi>(pattern, team);
    case Preconditioner::ssor:
      return make_ssor(spec.relaxation, pattern);
    case Preconditioner::ssor_ai:
      return std::make_unique<SsorApproximation>(spec, pattern, team);
    case Preconditioner::ilu:
      return make_incomplete_factors(pattern);
  }
  throw InternalError("every preconditioner is made");
}

}  // namespace tetrawave::fem
