// Products by jagged diagonals (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 3.4).
#pragma once

#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem {

/// Rows sorted by descending length, equal ones in their order; diagonal d contains the d-th entry of every row that
/// has one, row after row.
template <class T>
class JaggedProduct final : public RowProduct<T> {
 public:
  JaggedProduct(MatrixPart part, const CsrPattern& pattern, ThreadTeam& team);

  void set_values(std::span<const T> values) override;
  void multiply(const std::vector<T>& x, std::vector<T>& y) override;
  void subtract(double scale, const std::vector<T>& base, double weight, const std::vector<T>& x,
                std::vector<T>& y) override;
  [[nodiscard]] std::int64_t bytes() const override;

 private:
  template <class Use>
  void for_rows(const std::vector<T>& x, const Use& use);
  void add_diagonals(std::size_t begin, std::size_t end, const std::vector<T>& x, ProductSum<T>* sums) const;

  ThreadTeam& team_;
  std::vector<std::int32_t> row_;       // of the matrix, per sorted row
  std::vector<std::int64_t> first_{0};  // entry of each diagonal, and the end of the last
  std::vector<std::int32_t> column_;    // per entry
  std::vector<std::int64_t> source_;    // per entry, in the CSR matrix
  std::vector<std::size_t> bounds_;     // of the members, in sorted rows
  std::vector<T> values_;               // per entry
};

}  // namespace tetrawave::fem
