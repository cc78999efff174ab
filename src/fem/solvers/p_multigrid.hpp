// The preconditioner p-multigrid: Gauss-Seidel sweeps over all unknowns, and the exact solution in a subspace
// (theory/preconditioners).
#pragma once

#include <memory>
#include <vector>

#include "fem/solvers/approximate_inverse.hpp"
#include "fem/solvers/subspace.hpp"

namespace tetrawave::fem {

/// y = M^-1 x by a symmetric cycle from y = 0: a sweep forward, y += P (P^T A P)^-1 P^T (x - A y), a sweep backward,
/// which leave out the unknowns that are columns of P. P^T A P is factorised by the direct solver; with a matrix to
/// follow its factors stay. `relaxation` is that of the sweeps. Pattern, subspace and team outlive it. On one thread
/// but for a product. Throws UserError (unavailable) in a build without MUMPS.
template <class T>
[[nodiscard]] std::unique_ptr<ApproximateInverse<T>> make_p_multigrid(double relaxation, const CsrPattern& pattern,
                                                                      const Subspace& coarse, ThreadTeam& team);

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
