// Products of a sparse matrix, or of one of its triangles, with a vector.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/solver_options.hpp"
#include "fem/sparse/thread_team.hpp"

namespace tetrawave::fem {

/// A sum of products a b. Real and imaginary parts are summed separately, so that the compiler forms pairs.
template <class T>
struct ProductSum;

template <>
struct ProductSum<double> {
  double sum = 0;

  void add(double a, double b) { sum += a * b; }
  [[nodiscard]] double value() const { return sum; }
};

template <>
struct ProductSum<Complex> {
  double re_re = 0, re_im = 0, im_re = 0, im_im = 0;

  void add(Complex a, Complex b) {
    re_re += a.real() * b.real();
    re_im += a.real() * b.imag();
    im_re += a.imag() * b.real();
    im_im += a.imag() * b.imag();
  }
  [[nodiscard]] Complex value() const { return {re_re - im_im, re_im + im_re}; }
};

/// The sum of values[k] x[column[k]] over the entries [begin, end).
template <class T>
T sum_entries(const T* values, const std::int32_t* column, std::int64_t begin, std::int64_t end, const T* x) {
  ProductSum<T> sum;
  for (std::int64_t k = begin; k < end; ++k) sum.add(values[k], x[column[k]]);
  return sum.value();
}

/// A = L + D + U, or its strict lower or upper part.
enum class MatrixPart { whole, lower, upper };

/// Every entry of a row is added in the order of the columns, by one thread: all formats and numbers of threads give
/// the same bits. T: double or Complex.
template <class T>
class RowProduct {
 public:
  virtual ~RowProduct() = default;
  /// The entries of the whole matrix, as in CsrPattern::column; they must outlive the products.
  virtual void set_values(std::span<const T> values) = 0;
  /// y = P x; y is not x.
  virtual void multiply(const std::vector<T>& x, std::vector<T>& y) = 0;
  /// y = scale (base - weight P x); y may be base, but not x.
  virtual void subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                        std::vector<T>& y) = 0;
  /// Memory in addition to the CSR matrix.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// The pattern and the team must outlive the product.
template <class T>
[[nodiscard]] std::unique_ptr<RowProduct<T>> make_row_product(MatrixFormat format, MatrixPart part,
                                                              const CsrPattern& pattern, ThreadTeam& team);

/// The entries of a part of a matrix: [begin, end) of each row.
struct RowEnds {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
};
[[nodiscard]] RowEnds find_row_ends(const CsrPattern& pattern, MatrixPart part);

/// Indices of the diagonal entries, per row. Throws InternalError if one is missing.
[[nodiscard]] std::vector<std::int64_t> find_diagonal(const CsrPattern& pattern, int threads = 1);

/// Divides rows with first[i + 1] - first[i] entries into ranges of about equal numbers of entries: `parts` + 1 rows.
[[nodiscard]] std::vector<std::size_t> cut_evenly(const std::vector<std::int64_t>& first, int parts);

}  // namespace tetrawave::fem
