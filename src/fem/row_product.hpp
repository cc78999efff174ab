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
