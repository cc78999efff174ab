// P^T A P: the matrix of a subspace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fem/sparse/csr_matrix.hpp"
#include "fem/sparse/subspace.hpp"

namespace tetrawave::fem {

/// P^T A P for matrices of one pattern.
class GalerkinProduct {
 public:
  /// Pattern and subspace outlive it.
  GalerkinProduct(const CsrPattern& pattern, const Subspace& subspace);

  [[nodiscard]] const CsrPattern& pattern() const { return product_; }
  template <class T>
  [[nodiscard]] CsrMatrix<T> multiply(const CsrMatrix<T>& matrix) const;
  [[nodiscard]] const Subspace& transposed() const { return transposed_; }
  [[nodiscard]] std::int64_t bytes() const;

 private:
  template <class Use>
  void for_products(std::size_t row, const Use& use) const;

  const CsrPattern& pattern_;
  const Subspace& subspace_;
  Subspace transposed_;
  CsrPattern product_;
};

}  // namespace tetrawave::fem
