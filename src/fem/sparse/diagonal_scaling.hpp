// D^-1/2 A D^-1/2 with D the diagonal of A: symmetric, with a unit diagonal.
#pragma once

#include <vector>

#include "fem/sparse/blocked_vectors.hpp"
#include "fem/sparse/row_product.hpp"

namespace tetrawave::fem {

/// A x = b as (S A S) (S^-1 x) = S b, S = D^-1/2 by the principal root; 1 where the diagonal is zero. For real numbers
/// S = |D|^-1/2: a negative diagonal becomes -1.
template <class T>
class DiagonalScaling {
 public:
  /// The pattern and the team must outlive it; `diagonal` as from find_diagonal.
  DiagonalScaling(const CsrPattern& pattern, const std::vector<std::int64_t>& diagonal, ThreadTeam& team);

  /// Computes S from a matrix and makes S A S, of the same pattern.
  void scale(const CsrMatrix<T>& matrix, CsrMatrix<T>& scaled);
  void scale_right_hand_side(const std::vector<T>& b, std::vector<T>& scaled);  ///< S b
  void scale_solution(std::vector<T>& x);                                       ///< S^-1 x in its place
  void restore_solution(std::vector<T>& x);                                     ///< S x in its place

  /// 1 / |S_i|^2: with these weights the norm of S r is that of r.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

 private:
  const std::vector<std::int64_t>& diagonal_;
  BlockedVectors vectors_;
  std::vector<T> factor_;  // S
  std::vector<double> weights_;
};

}  // namespace tetrawave::fem
