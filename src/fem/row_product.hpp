// Products of a sparse matrix, or of one of its triangles, with a vector.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "case/frequency_spec.hpp"
#include "fem/csr_matrix.hpp"
#include "fem/thread_team.hpp"

namespace tetrawave::fem {

using Vector = std::vector<Complex>;

/// The sum of values[k] x[column[k]] over the entries [begin, end). Real and imaginary products are summed apart: the
/// compiler makes pairs of them.
inline Complex sum_entries(const Complex* values, const std::int32_t* column, std::int64_t begin, std::int64_t end,
                           const Complex* x) {
  double re_re = 0, im_im = 0, re_im = 0, im_re = 0;
  for (std::int64_t k = begin; k < end; ++k) {
    const Complex a = values[k], b = x[column[k]];
    re_re += a.real() * b.real();
    im_im += a.imag() * b.imag();
    re_im += a.real() * b.imag();
    im_re += a.imag() * b.real();
  }
  return {re_re - im_im, re_im + im_re};
}

/// Of A = L + D + U: all of it, L or U.
enum class MatrixPart { whole, lower, upper };

/// Every entry of a row is added in the order of the columns, by one thread: the formats, and any number of threads,
/// give the same bits.
class RowProduct {
 public:
  virtual ~RowProduct() = default;
  /// The entries of the whole matrix, as CsrPattern::column; they outlive the products.
  virtual void set_values(const Vector& values) = 0;
  /// y = P x; y is not x.
  virtual void multiply(const Vector& x, Vector& y) = 0;
  /// y = scale (base - weight P x); y may be base, but not x.
  virtual void subtract(double scale, const Vector& base, double weight, const Vector& x, Vector& y) = 0;
  /// Of memory beside the CSR matrix itself.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// The pattern and the team outlive the product.
[[nodiscard]] std::unique_ptr<RowProduct> make_row_product(MatrixFormat format, MatrixPart part,
                                                           const CsrPattern& pattern, ThreadTeam& team);

/// Which entries of a matrix belong to a part: [begin, end) of each row.
struct RowEnds {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
};
[[nodiscard]] RowEnds find_row_ends(const CsrPattern& pattern, MatrixPart part);

/// Where the diagonal's entries are, per row. Throws InternalError when one is missing.
[[nodiscard]] std::vector<std::int64_t> find_diagonal(const CsrPattern& pattern);

/// Cuts rows with first[i + 1] - first[i] entries into ranges of about equal numbers of entries: `parts` + 1 rows.
[[nodiscard]] std::vector<std::size_t> cut_evenly(const std::vector<std::int64_t>& first, int parts);

}  // namespace tetrawave::fem
