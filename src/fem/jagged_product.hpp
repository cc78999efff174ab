// Products by jagged diagonals (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 3.4).
#pragma once

#include "fem/row_product.hpp"

namespace tetrawave::fem {

/// Rows sorted by falling length, equal ones in their order; diagonal d holds the d-th entry of every row that has one,
/// one row after the other.
class JaggedProduct final : public RowProduct {
 public:
  JaggedProduct(MatrixPart part, const CsrPattern& pattern, ThreadTeam& team);

  void set_values(const Vector& values) override;
  void multiply(const Vector& x, Vector& y) override;
  void subtract(double scale, const Vector& base, double weight, const Vector& x, Vector& y) override;
  [[nodiscard]] std::int64_t bytes() const override;

 private:
  template <class Use>
  void for_rows(const Vector& x, const Use& use);
  struct Sum;
  void add_diagonals(std::size_t begin, std::size_t end, const Vector& x, Sum* sums) const;

  ThreadTeam& team_;
  std::vector<std::int32_t> row_;       // of the matrix, per sorted row
  std::vector<std::int64_t> first_{0};  // entry of each diagonal, and the end of the last
  std::vector<std::int32_t> column_;    // per entry
  std::vector<std::int64_t> source_;    // per entry, in the CSR matrix
  std::vector<std::size_t> bounds_;     // of the members, in sorted rows
  Vector values_;                       // per entry
};

}  // namespace tetrawave::fem
