// The two preconditioners with triangular solves: SSOR and ILU(0).
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "fem/solvers/approximate_inverse.hpp"

namespace tetrawave::fem {

namespace {

/// Product of entries [begin, end) of a row with x.
template <class T>
T sum_row(const CsrPattern& pattern, std::span<const T> values, std::int64_t begin, std::int64_t end,
          const std::vector<T>& x) {
  return sum_entries(values.data(), pattern.column.data(), begin, end, x.data());
}

/// M = (D + w L) D^-1 (D + w U) / (w (2 - w)).
template <class T>
class Ssor final : public ApproximateInverse<T> {
 public:
  Ssor(double relaxation, const CsrPattern& pattern)
      : relaxation_(relaxation), pattern_(pattern), diagonal_(find_diagonal(pattern)) {}

  void set_matrix(const CsrMatrix<T>& matrix) override {
    values_ = &matrix.values;
    inverse_ = invert_diagonal(matrix, diagonal_);
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const std::size_t rows = diagonal_.size();
    const double w = relaxation_, scale = w * (2 - w);
    // (D + w L) z = w (2 - w) x, then (D + w U) y = D z in its place.
    for (std::size_t i = 0; i < rows; ++i) {
      const T lower = sum_row<T>(pattern_, *values_, pattern_.first[i], diagonal_[i], y);
      y[i] = times(inverse_[i], scale * x[i] - w * lower);
    }
    for (std::size_t i = rows; i-- > 0;) {
      const T upper = sum_row<T>(pattern_, *values_, diagonal_[i] + 1, pattern_.first[i + 1], y);
      y[i] -= w * times(inverse_[i], upper);
    }
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + sizeof(T)) * diagonal_.size());
  }

 private:
  double relaxation_;
  const CsrPattern& pattern_;
  std::vector<std::int64_t> diagonal_;
  std::vector<T> inverse_;
  const UnsetVector<T>* values_ = nullptr;
};

/// A = L U on the pattern of A, L with a unit diagonal; no pivoting. The triangles of an indefinite matrix may have
/// inverses that grow with every row, or pivots that vanish: then those of A + shift D (T. A. Manteuffel, Math. Comp.
/// 34 (1980) 473).
template <class T>
class IncompleteFactors final : public ApproximateInverse<T> {
 public:
  explicit IncompleteFactors(const CsrPattern& pattern) : pattern_(pattern), diagonal_(find_diagonal(pattern)) {}

  void set_matrix(const CsrMatrix<T>& matrix) override {
    std::size_t row = 0;
    for (const double shift : {0., 0.3, 0.6, 1.2}) {
      row = factorise(matrix, shift);
      if (row == diagonal_.size() && is_stable(matrix)) return;
    }
    const std::string where = row == diagonal_.size() ? "is unstable" : fmt::format("breaks down in row {}", row);
    fail(ExitCode::unstable,
         "the incomplete factorisation ILU(0) {}, with a larger diagonal, too: use another solver.preconditioner, or "
         "solver.method: direct",
         where);
  }

  void apply(const std::vector<T>& x, std::vector<T>& y) override {
    const std::size_t rows = diagonal_.size();
    for (std::size_t i = 0; i < rows; ++i)
      y[i] = x[i] - sum_row<T>(pattern_, factors_, pattern_.first[i], diagonal_[i], y);
    for (std::size_t i = rows; i-- > 0;) {
      const T upper = sum_row<T>(pattern_, factors_, diagonal_[i] + 1, pattern_.first[i + 1], y);
      y[i] = times(inverse_[i], y[i] - upper);
    }
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return static_cast<std::int64_t>((8 + sizeof(T)) * diagonal_.size() + sizeof(T) * factors_.size());
  }

  [[nodiscard]] IluFactors<T> take() { return {std::move(factors_), std::move(inverse_)}; }

 private:
  [[nodiscard]] std::size_t column(std::int64_t k) const {
    return static_cast<std::size_t>(pattern_.column[static_cast<std::size_t>(k)]);
  }
  T& factor(std::int64_t k) { return factors_[static_cast<std::size_t>(k)]; }

  /// l_ij = a_ij / u_jj of entry k, and row i minus l_ij times row j of U, where row i has entries.
  void eliminate(std::int64_t k, const std::vector<std::int64_t>& entry_of) {
    const std::size_t j = column(k);
    const T l = factor(k) = times(factor(k), inverse_[j]);
    for (std::int64_t u = diagonal_[j] + 1; u < pattern_.first[j + 1]; ++u) {
      const std::int64_t at = entry_of[column(u)];
      if (at >= 0) factor(at) -= times(l, factor(u));
    }
  }

  /// Factors of A + shift D. Returns the first row without a pivot, or the number of rows.
  [[nodiscard]] std::size_t factorise(const CsrMatrix<T>& matrix, double shift) {
    factors_.assign(matrix.values.begin(), matrix.values.end());
    for (const std::int64_t k : diagonal_) factor(k) *= 1 + shift;
    inverse_.assign(diagonal_.size(), T(0));
    std::vector<std::int64_t> entry_of(diagonal_.size(), -1);  // of the row that is eliminated, per column
    for (std::size_t i = 0; i < diagonal_.size(); ++i) {
      for (std::int64_t k = pattern_.first[i]; k < pattern_.first[i + 1]; ++k) entry_of[column(k)] = k;
      for (std::int64_t k = pattern_.first[i]; k < diagonal_[i]; ++k) eliminate(k, entry_of);
      for (std::int64_t k = pattern_.first[i]; k < pattern_.first[i + 1]; ++k) entry_of[column(k)] = -1;
      if (!has_pivot(i, matrix.values)) return i;
      inverse_[i] = 1. / factor(diagonal_[i]);
    }
    return diagonal_.size();
  }

  [[nodiscard]] bool has_pivot(std::size_t i, std::span<const T> values) {
    constexpr double smallest = 1e-13;  // of the row's largest entry: all digits of the pivot are lost
    double largest = 0;
    for (std::int64_t k = pattern_.first[i]; k < pattern_.first[i + 1]; ++k)
      largest = std::max(largest, std::abs(values[static_cast<std::size_t>(k)]));
    const double pivot = std::abs(factor(diagonal_[i]));
    return pivot > smallest * largest && std::isfinite(pivot);
  }

  /// Whether M^-1 D 1, all ones for a diagonal A, is of moderate size.
  [[nodiscard]] bool is_stable(const CsrMatrix<T>& matrix) {
    constexpr double largest = 1000;  // good factors stay below some hundred, others go beyond 1e6
    std::vector<T> diagonal, y(diagonal_.size());
    for (const std::int64_t k : diagonal_) diagonal.push_back(matrix.values[static_cast<std::size_t>(k)]);
    apply(diagonal, y);
    return std::all_of(y.begin(), y.end(), [](T value) { return std::abs(value) < largest; });
  }

  const CsrPattern& pattern_;
  std::vector<std::int64_t> diagonal_;
  std::vector<T> factors_;
  std::vector<T> inverse_;  // 1 / u_ii
};

}  // namespace

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_ssor(double relaxation, const CsrPattern& pattern) {
  return std::make_unique<Ssor<T>>(relaxation, pattern);
}

template <class T>
std::unique_ptr<ApproximateInverse<T>> make_incomplete_factors(const CsrPattern& pattern) {
  return std::make_unique<IncompleteFactors<T>>(pattern);
}

template <class T>
IluFactors<T> factorise_incompletely(const CsrMatrix<T>& matrix) {
  IncompleteFactors<T> factors(*matrix.pattern);
  factors.set_matrix(matrix);
  return factors.take();
}

template IluFactors<double> factorise_incompletely(const CsrMatrix<double>&);
template IluFactors<Complex> factorise_incompletely(const CsrMatrix<Complex>&);
template std::unique_ptr<ApproximateInverse<double>> make_ssor(double, const CsrPattern&);
template std::unique_ptr<ApproximateInverse<Complex>> make_ssor(double, const CsrPattern&);
template std::unique_ptr<ApproximateInverse<double>> make_incomplete_factors(const CsrPattern&);
template std::unique_ptr<ApproximateInverse<Complex>> make_incomplete_factors(const CsrPattern&);

}  // namespace tetrawave::fem
